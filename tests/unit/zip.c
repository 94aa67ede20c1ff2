/* SPDX-License-Identifier: MIT */
/* The directory of a zip archive made by hand. Whatever bytes are changed, the
 * archive is refused or each member that is found lies inside it. */
#define _GNU_SOURCE
#include "source/compressed/zip.h"

#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

enum { SIZE = 4096, BEFORE = 7 };

static unsigned char archive[SIZE];
static size_t bytes, directory[2], end;
static int memory;

static void put(uint64_t value, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        archive[bytes++] = i < 8 ? (unsigned char)(value >> 8 * i) : 0;
}

static void put_text(const char *text)
{
    memcpy(archive + bytes, text, strlen(text));
    bytes += strlen(text);
}

/* Writes the fields that a member's local header and its entry share. */
static void put_member(unsigned method, const char *data, const char *name)
{
    put(20, 2);
    put(0, 2);
    put(method, 2);
    put(0, 4);
    put(0x1234, 4);
    put(strlen(data), 4);
    put(strlen(data), 4);
    put(strlen(name), 2);
}

static void put_local(const char *name, unsigned method, const char *data)
{
    put(0x04034b50, 4);
    put_member(method, data, name);
    put(3, 2);
    put_text(name);
    put_text("xyz");
    put_text(data);
}

static void put_entry(const char *name, unsigned method, const char *data,
                      size_t local)
{
    put(0x02014b50, 4);
    put(20, 2);
    put_member(method, data, name);
    put(0, 2);
    put(0, 2);
    put(0, 8);
    put(local, 4);
    put_text(name);
}

/* Makes an archive: one.npy stored, two.npy deflated. BEFORE other bytes
 * precede it, and its offsets do not count them. */
static void make(void)
{
    memset(archive, 'B', bytes = BEFORE);
    put_local("one.npy", 0, "first");
    size_t second = bytes - BEFORE;
    put_local("two.npy", 8, "second one");
    size_t start = bytes - BEFORE;
    directory[0] = bytes;
    put_entry("one.npy", 0, "first", 0);
    directory[1] = bytes;
    put_entry("two.npy", 8, "second one", second);
    end = bytes;
    put(0x06054b50, 4);
    put(0, 4);
    put(2, 2);
    put(2, 2);
    put(end - BEFORE - start, 4);
    put(start, 4);
    put(0, 2);
}

static bool find(const char *wanted, struct zip_member *member, struct error *e)
{
    CHECK(ftruncate(memory, 0) == 0);
    CHECK(pwrite(memory, archive, bytes, 0) == (ssize_t)bytes);
    return zip_find(memory, BEFORE, bytes - BEFORE, wanted, "file", member, e);
}

static void check_found(const char *wanted, const char *name, int kind,
                        const char *data)
{
    struct zip_member m;
    struct error e;
    if (!CHECK(find(wanted, &m, &e), "%s", e.text))
        return;
    CHECK_TEXT(m.name, name);
    CHECK_INT(m.form.kind, kind);
    CHECK_U64(m.packed, strlen(data));
    CHECK_U64(m.form.bytes, strlen(data));
    CHECK_U64(m.form.crc, 0x1234);
    CHECK(memcmp(archive + m.form.offset, data, strlen(data)) == 0);
    free(m.name);
}

static void test_members(void)
{
    struct zip_member m;
    struct error e;
    make();
    check_found("one", "one.npy", UNPACK_STORED, "first");
    check_found("one.npy", "one.npy", UNPACK_STORED, "first");
    check_found("two", "two.npy", UNPACK_DEFLATE, "second one");
    CHECK(!find(NULL, &m, &e) && e.kind == ERROR_USAGE);
    CHECK(strstr(e.text, "'one', 'two'") != NULL, "%s", e.text);
    CHECK(!find("on", &m, &e) && e.kind == ERROR_USAGE);
    CHECK(!find("", &m, &e) && e.kind == ERROR_USAGE);
}

/* The zip64 fields of an entry and of the end record. */
static void test_zip64(void)
{
    make();
    size_t at = directory[1] + 46 + 7, tail = bytes - at;
    unsigned char extra[] = {9, 0, 1, 0, 'x', 1, 0, 16, 0, 10, 0, 0, 0,
                             0, 0, 0, 0, 10,  0, 0, 0,  0, 0,  0, 0};
    memmove(archive + at + sizeof extra, archive + at, tail);
    memcpy(archive + at, extra, sizeof extra);
    memset(archive + directory[1] + 20, 0xff, 8);
    archive[directory[1] + 30] = sizeof extra;
    bytes += sizeof extra;
    end += sizeof extra;
    archive[end + 12] = (unsigned char)(archive[end + 12] + sizeof extra);
    check_found("two", "two.npy", UNPACK_DEFLATE, "second one");
    uint64_t directory_bytes = archive[end + 12], start = archive[end + 16];
    size_t end64 = end - BEFORE;
    bytes = end;
    put(0x06064b50, 4);
    put(44, 8);
    put(0, 28);
    bytes -= 28;
    memset(archive + bytes, 0, 28);
    bytes += 28;
    put(directory_bytes, 8);
    put(start, 8);
    put(0x07064b50, 4);
    put(0, 4);
    put(end64, 8);
    put(1, 4);
    put(0x06054b50, 4);
    put(UINT64_MAX, 8);
    put(UINT64_MAX, 8);
    put(0, 2);
    check_found("one", "one.npy", UNPACK_STORED, "first");
    check_found("two", "two.npy", UNPACK_DEFLATE, "second one");
}

/* After any damage the archive is refused, or each member that is found lies
 * inside it. */
static void test_damage(void)
{
    unsigned found = 0;
    for (int i = 0; i < 20000; i++) {
        struct zip_member m;
        struct error e = {.kind = ERROR_NONE};
        make();
        for (uint64_t n = 1 + check_below(3); n > 0; n--) {
            size_t at = check_below(2)
                            ? directory[0] + check_below(bytes - directory[0])
                            : check_below(bytes);
            archive[at] = check_below(2) ? 0xff : (unsigned char)check_random();
        }
        if (check_below(10) == 0)
            bytes = BEFORE + check_below(bytes - BEFORE + 1);
        if (!find(check_below(2) ? "one" : "two", &m, &e)) {
            CHECK(e.kind == ERROR_DATA || e.kind == ERROR_USAGE);
            CHECK(strstr(e.text, "file") != NULL, "%s", e.text);
            continue;
        }
        found++;
        CHECK(m.form.offset >= BEFORE && m.form.offset <= bytes);
        CHECK(m.packed <= bytes - m.form.offset);
        free(m.name);
    }
    CHECK(found > 100 && found < 19000, "%u", found);
}

int main(void)
{
    memory = memfd_create("archive", MFD_CLOEXEC);
    CHECK(memory >= 0);
    test_members();
    test_zip64();
    test_damage();
    return check_end();
}
