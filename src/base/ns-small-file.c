/* Reads small files of untrusted origin into memory.
 *
 * A folder of symbols or settings may contain a pipe without a writer or a device without an end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-small-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char *
fail (const char *path, int code, GError **error)
{
  g_set_error (error,
               G_FILE_ERROR,
               g_file_error_from_errno (code),
               "%s: %s",
               path,
               g_strerror (code));
  return NULL;
}

static char *
refuse_kind (const char *path, GError **error)
{
  g_set_error (error,
               G_FILE_ERROR,
               G_FILE_ERROR_INVAL,
               _ ("%s is not a file but a folder, a pipe or a device; specify a file"),
               path);
  return NULL;
}

static char *
refuse_size (const char *path, gsize max_bytes, GError **error)
{
  g_autofree char *most = g_format_size_full (max_bytes, G_FORMAT_SIZE_LONG_FORMAT);

  g_set_error (
      error,
      G_FILE_ERROR,
      G_FILE_ERROR_INVAL,
      /* Translators: a file, then a size. */
      _ ("%s is larger than %s, the maximum size of such a file; remove what is not needed"),
      path,
      most);
  return NULL;
}

/* Reads up to @n_most bytes; the file may have grown or shrunk since fstat(). */
static gboolean
read_all (int fd, char *to, gsize n_most, gsize *n_read)
{
  *n_read = 0;
  while (*n_read < n_most)
    {
      gssize n = read (fd, to + *n_read, n_most - *n_read);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      if (n == 0)
        break;
      *n_read += (gsize) n;
    }
  return TRUE;
}

/**
 * ns_small_file_read:
 * @path: a file
 * @max_bytes: maximum size
 * @n_bytes: (out) (optional): size of the file
 * @error: %G_FILE_ERROR; %G_FILE_ERROR_INVAL if it is larger than @max_bytes or not a regular file
 *
 * Returns: (transfer full) (nullable): the content of the file, NUL-terminated
 */
char *
ns_small_file_read (const char *path, gsize max_bytes, gsize *n_bytes, GError **error)
{
  g_autofree char *text = NULL;
  GStatBuf about;
  gsize n_read = 0;
  gboolean is_file = TRUE;
  gboolean is_small = TRUE;
  int code = 0;
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);

  if (fd < 0)
    return fail (path, errno, error);
  if (fstat (fd, &about) != 0)
    code = errno;
  else if (!S_ISREG (about.st_mode))
    is_file = FALSE;
  else if ((guint64) about.st_size > max_bytes)
    is_small = FALSE;
  else
    {
      text = g_try_malloc ((gsize) about.st_size + 1);
      if (text == NULL)
        code = ENOMEM;
      else if (!read_all (fd, text, (gsize) about.st_size, &n_read))
        code = errno;
    }
  close (fd);
  if (!is_file)
    return refuse_kind (path, error);
  if (!is_small)
    return refuse_size (path, max_bytes, error);
  if (code != 0)
    return fail (path, code, error);
  text[n_read] = '\0';
  if (n_bytes != NULL)
    *n_bytes = n_read;
  return g_steal_pointer (&text);
}

/**
 * ns_small_file_take_setting:
 * @name: a file in Netstitch's directory in the user's configuration
 * @func: reads the file
 * @user_data: for @func
 * @error: why it cannot be read; a missing file is not an error
 *
 * Returns: whether it was read or does not exist
 */
gboolean
ns_small_file_take_setting (const char *name,
                            NsSmallFileFunc func,
                            gpointer user_data,
                            GError **error)
{
  g_autofree char *path = g_build_filename (g_get_user_config_dir (), "netstitch", name, NULL);
  g_autoptr (GError) wrong = NULL;

  if (func (path, user_data, &wrong) || g_error_matches (wrong, G_FILE_ERROR, G_FILE_ERROR_NOENT) ||
      g_error_matches (wrong, G_FILE_ERROR, G_FILE_ERROR_NOTDIR))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&wrong));
  return FALSE;
}
