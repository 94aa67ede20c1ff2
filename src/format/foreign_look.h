/* SPDX-License-Identifier: MIT */
/* Formats that no fixed bytes give away. Each looks at the first `have` bytes
 * of a file, at least FOREIGN_HEAD of them or all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Binary. */
bool foreign_is_arrow_stream(const char *head, size_t have);
bool foreign_is_bzip2(const char *head, size_t have);
bool foreign_is_pickle(const char *head, size_t have);
bool foreign_is_riff_wave(const char *head, size_t have);
bool foreign_is_safetensors(const char *head, size_t have);
bool foreign_is_xlsx(const char *head, size_t have);
bool foreign_is_ods(const char *head, size_t have);
bool foreign_is_torch(const char *head, size_t have);

/* Text. */
bool foreign_is_json_numbers(const char *head, size_t have);
bool foreign_is_json_rows(const char *head, size_t have);
bool foreign_is_json(const char *head, size_t have);
bool foreign_is_html(const char *head, size_t have);
bool foreign_is_xml(const char *head, size_t have);
bool foreign_is_copy(const char *head, size_t have);
bool foreign_is_insert(const char *head, size_t have);
bool foreign_is_mysql_box(const char *head, size_t have);
bool foreign_is_psql_box(const char *head, size_t have);
bool foreign_is_drawn_box(const char *head, size_t have);
bool foreign_is_ruled(const char *head, size_t have);

/* Whether there is a byte that no text has. */
bool foreign_has_control(const char *head, size_t have);
