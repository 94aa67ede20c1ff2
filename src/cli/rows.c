/* SPDX-License-Identifier: MIT */
/* The setters of all options but those for text and for --compare. */
#include "cli/rows.h"

#include <stdio.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "cli/choose.h"
#include "cli/words.h"
#include "backend/registry.h"
#include "format/foreign.h"
#include "format/format.h"

const char *words_dtype(size_t i, const void *context)
{
    static const char *const others[] = {"bool", "float", "double", NULL};
    (void)context;
    return i < DTYPES_ALL_END ? dtype_info((enum dtype)i)->name
                              : others[i - DTYPES_ALL_END];
}

const char *words_format(size_t i, const void *context)
{
    (void)context;
    if (i == 0)
        return "auto";
    const struct format *format = format_at(i - 1);
    return format ? format->name : NULL;
}

bool set_assert(struct options *o, const char *arg, struct error *e)
{
    if (o->assertions == ASSERTIONS_MAX)
        return error_set(e, ERROR_USAGE,
                         "--assert may be given at most %d times; join "
                         "conditions by &&",
                         ASSERTIONS_MAX);
    o->assertion[o->assertions++] = arg;
    return true;
}

/* Whether the name is NumPy's code without its prefix, in which i8 has 64 bits;
 * then sets the error. */
static bool is_bare_code(const char *arg, struct error *e)
{
    char code[4], quoted[QUOTE_MAX];
    enum dtype dtype;
    bool unused;
    snprintf(code, sizeof code, "<%.2s", arg);
    if (strlen(arg) != 2 || !dtype_find(code, &dtype, &unused))
        return false;
    error_set(e, ERROR_USAGE, "unknown dtype %s; did you mean '%s' or '%s'?",
              quote(quoted, arg), code, dtype_info(dtype)->name);
    return true;
}

static bool read_dtype(struct input_settings *to, const char *arg,
                       struct error *e)
{
    to->has_dtype = true;
    to->has_order = arg[0] == '<' || arg[0] == '>';
    to->big_endian = false;
    to->is_bool = dtype_is_bool(arg);
    return dtype_find(arg, &to->dtype, &to->big_endian) ||
           (!is_bare_code(arg, e) &&
            choose_unknown("dtype", arg, words_dtype, NULL, e));
}

bool set_dtype(struct options *o, const char *arg, struct error *e)
{
    return !word_dtype(arg, e) && read_dtype(&o->input, arg, e);
}

bool set_keys_dtype(struct options *o, const char *arg, struct error *e)
{
    return read_dtype(&o->keys_input, arg, e);
}

bool set_format(struct options *o, const char *arg, struct error *e)
{
    const struct foreign *foreign = foreign_named(arg);
    if (foreign)
        return error_set(e, ERROR_USAGE,
                         "format '%s' is not available yet; try %s", arg,
                         foreign->remedy);
    o->input.format = format_find(arg);
    return o->input.format || strcmp(arg, "auto") == 0 ||
           choose_unknown("format", arg, words_format, NULL, e);
}

static bool add_device(struct options *o, const char *arg, size_t bytes)
{
    char digits[8];
    uint64_t number;
    if (bytes >= sizeof digits || o->devices == DEVICES_MAX)
        return false;
    memcpy(digits, arg, bytes);
    digits[bytes] = '\0';
    if (!text_to_u64(digits, &number) || number > 1023)
        return false;
    for (unsigned i = 0; i < o->devices; i++) {
        if (o->device[i] == (int)number)
            return false;
    }
    o->device[o->devices++] = (int)number;
    return true;
}

/* Sets the devices to those of a list such as "0,2", or to all devices for
 * "all". */
static bool set_devices(struct options *o, const char *list, struct error *e)
{
    o->all_devices = strcmp(list, "all") == 0;
    bool ok = true;
    o->devices = 0;
    while (ok && !o->all_devices) {
        size_t bytes = strcspn(list, ",");
        ok = add_device(o, list, bytes);
        if (list[bytes] == '\0')
            break;
        list += bytes + 1;
    }
    return ok || error_set(e, ERROR_USAGE,
                           "--device %s:LIST takes the numbers of up to %d "
                           "devices, each once, or 'all'",
                           o->backend->name, DEVICES_MAX);
}

/* "auto", then the names of the backends, then their other names. */
const char *words_device(size_t i, const void *context)
{
    size_t n = 0;
    (void)context;
    if (i == 0)
        return "auto";
    while (backends[n])
        n++;
    if (i <= n)
        return backends[i - 1]->name;
    i -= n;
    for (size_t k = 0; k < n; k++) {
        if (backends[k]->alias && --i == 0)
            return backends[k]->alias;
    }
    return NULL;
}

/* Finds a backend by its name or its other name; NULL if there is none. */
static const struct backend *find_backend(const char *name, size_t bytes)
{
    for (size_t i = 0; backends[i]; i++) {
        const char *const names[] = {backends[i]->name, backends[i]->alias};
        for (size_t k = 0; k < 2; k++) {
            if (names[k] && strlen(names[k]) == bytes &&
                memcmp(names[k], name, bytes) == 0)
                return backends[i];
        }
    }
    return NULL;
}

bool set_device(struct options *o, const char *arg, struct error *e)
{
    size_t bytes = strcspn(arg, ":");
    o->backend = find_backend(arg, bytes);
    if (o->backend && o->backend->is_numbered && arg[bytes] == ':')
        return set_devices(o, arg + bytes + 1, e);
    o->device[0] = 0;
    o->devices = 1;
    o->all_devices = false;
    if (arg[bytes] == '\0' && (o->backend || strcmp(arg, "auto") == 0))
        return true;
    return choose_unknown("device", arg, words_device, NULL, e);
}

bool set_part(struct options *o, const char *arg, struct error *e)
{
    char quoted[QUOTE_MAX], part[24];
    const char *slash = strchr(arg, '/');
    const size_t n = slash ? (size_t)(slash - arg) : 0;
    if (n > 0 && n < sizeof part) {
        memcpy(part, arg, n);
        part[n] = '\0';
        if (text_to_u64(part, &o->part) && text_to_u64(slash + 1, &o->parts) &&
            o->part > 0 && o->part <= o->parts && o->parts <= 1 << 30)
            return true;
    }
    return error_set(e, ERROR_USAGE,
                     "--part takes R/N, as 2/8 for the second of 8 parts, not "
                     "%s",
                     quote(quoted, arg));
}

static bool size_of(const char *option, const char *arg, uint64_t least,
                    uint64_t *value, struct error *e)
{
    char quoted[QUOTE_MAX];
    if (text_to_size(arg, value) && *value >= least && *value <= INT64_MAX)
        return true;
    return error_set(e, ERROR_USAGE,
                     "%s takes a size in bytes such as 4096, 64K or 1G, "
                     "not %s",
                     option, quote(quoted, arg));
}

bool set_chunk_size(struct options *o, const char *arg, struct error *e)
{
    return size_of("--chunk-size", arg, 1, &o->chunk_size, e);
}

bool set_skip_bytes(struct options *o, const char *arg, struct error *e)
{
    return size_of("--skip-bytes", arg, 0, &o->input.skip_bytes, e);
}

#define FORMAT_NAME(name, ...) #name,
static const char *const output_formats[] = {OUTPUT_FORMATS(FORMAT_NAME) NULL};
#undef FORMAT_NAME

const char *words_output_format(size_t i, const void *context)
{
    (void)context;
    return output_formats[i];
}

bool set_output_format(struct options *o, const char *arg, struct error *e)
{
    int which = 0;
    bool ok = choose("output format", arg, output_formats, &which, e);
    o->form = (enum output_format)which;
    return ok;
}

bool set_digits(struct options *o, const char *arg, struct error *e)
{
    char quoted[QUOTE_MAX];
    o->has_digits = true;
    if (text_to_u64(arg, &o->digits) && o->digits <= DECIMALS_DIGITS)
        return true;
    return error_set(e, ERROR_USAGE,
                     "--digits takes a number from 0 to %d, not %s",
                     DECIMALS_DIGITS, quote(quoted, arg));
}

bool set_threads(struct options *o, const char *arg, struct error *e)
{
    char quoted[QUOTE_MAX];
    if (text_to_u64(arg, &o->threads) && o->threads > 0 && o->threads <= 4096)
        return true;
    return error_set(e, ERROR_USAGE,
                     "--threads takes a number from 1 to 4096, not %s",
                     quote(quoted, arg));
}

CHOICE(nan, o->nan = (enum nan_mode)which, "propagate", "skip", "error")
CHOICE(empty, o->empty = (enum empty_mode)which, "error", "identity")
CHOICE(interpolation, o->interpolation = (enum interpolation)which, "linear",
       "lower", "higher", "nearest", "midpoint")
CHOICE(progress, o->progress = (enum progress_when)which, "auto", "always",
       "never")
FLAG(deterministic, o->deterministic = true)
FLAG(fast, o->fast = true)
FLAG(json, o->form = FORM_json)
FLAG(per_file, o->per_file = true)
FLAG(verify, o->verify = true)
FLAG(explain, o->explain = true)
FLAG(verbose, o->verbose = true)
FLAG(quiet, o->quiet = true)
FLAG(merge, o->merge = true)
FLAG(save_state, o->save = arg)
FLAG(keys, o->keys = arg)
FLAG(files0_from, o->files0_from = arg)
FLAG(list, o->action = ACTION_LIST)
FLAG(version, o->action = ACTION_VERSION)

static const char *const topics[] = {"short", "ops",     "text",
                                     "all",   "options", NULL};

const char *words_help(size_t i, const void *context)
{
    (void)context;
    return topics[i];
}

bool set_help(struct options *o, const char *arg, struct error *e)
{
    int which = HELP_SHORT;
    bool ok = !arg || choose("help topic", arg, topics, &which, e);
    o->action = ACTION_HELP;
    o->help = (enum help_topic)which;
    return ok;
}
