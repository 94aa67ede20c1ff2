/* SPDX-License-Identifier: MIT */
/* Formats that have no fixed first bytes. Each function looks at the first
 * `have` bytes of a file: FOREIGN_HEAD of them, or all if there are fewer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Binary formats. */
bool foreign_is_arrow_stream(const char *head, size_t have);
bool foreign_is_bzip2(const char *head, size_t have);
bool foreign_is_pickle(const char *head, size_t have);
bool foreign_is_riff_wave(const char *head, size_t have);
bool foreign_is_xlsx(const char *head, size_t have);
bool foreign_is_ods(const char *head, size_t have);
bool foreign_is_torch(const char *head, size_t have);

/* Text formats. The text has no byte order mark. */
struct foreign_text {
    const char *at, *end;
};
bool foreign_is_json_numbers(struct foreign_text t);
bool foreign_is_json_rows(struct foreign_text t);
bool foreign_is_json(struct foreign_text t);
bool foreign_is_html(struct foreign_text t);
bool foreign_is_xml(struct foreign_text t);
bool foreign_is_copy(struct foreign_text t);
bool foreign_is_insert(struct foreign_text t);
bool foreign_is_mysql_box(struct foreign_text t);
bool foreign_is_psql_box(struct foreign_text t);
bool foreign_is_drawn_box(struct foreign_text t);
bool foreign_is_ruled(struct foreign_text t);

/* Whether one of the bytes is a control character that text does not have. */
bool foreign_has_control(const char *head, size_t have);
