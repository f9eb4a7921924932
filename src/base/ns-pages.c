/* Large pieces of memory straight from the system, which go back to it when they are freed.
 *
 * The C library puts pieces of up to 32 MiB on its heap once such a piece has been freed, and what
 * is free inside its heap stays with the program. Records of a large trace come and go by the
 * hundred megabytes, in pieces that nothing else has a use for.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-pages.h"

#include <sys/mman.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* From this size on large pages are asked for: such a piece is a table, and each look-up in it a
 * step to a page of its own.
 */
#define HUGE_BYTES ((gsize) 2 << 20)
#define MUCH_BYTES ((guint64) 16 << 20)

/**
 * ns_pages_new:
 * @n_bytes: size, not 0
 *
 * For what is used all over soon. Ends the program when there is no memory, as g_malloc() does.
 *
 * Returns: (transfer full): zeroed memory, for ns_pages_free()
 */
gpointer
ns_pages_new (gsize n_bytes)
{
  void *pages = mmap (NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (pages == MAP_FAILED)
    g_error ("no memory for %" G_GSIZE_FORMAT " bytes", n_bytes);
  if (n_bytes >= HUGE_BYTES)
    madvise (pages, n_bytes, MADV_HUGEPAGE);
#ifdef MADV_POPULATE_WRITE
  /* All of it is about to be used; page by page, and read before it is written to, each would cost
   * two faults. Where the kernel does not know the advice, they do. */
  madvise (pages, n_bytes, MADV_POPULATE_WRITE);
#endif
  return pages;
}

/**
 * ns_pages_free:
 * @pages: (transfer full) (nullable): what ns_pages_new() returned
 * @n_bytes: with this size
 */
void
ns_pages_free (gpointer pages, gsize n_bytes)
{
  if (pages != NULL)
    munmap (pages, n_bytes);
}

/**
 * ns_pages_give_back:
 * @n_bytes: of what was read, which what was freed has about the size of
 *
 * Gives the system what is free on the heap. For moments at which much has been freed and much else
 * is about to be made: it takes a few milliseconds. After little was read it does nothing: the next
 * thing that is made would have to ask for the same pages again.
 */
void
ns_pages_give_back (guint64 n_bytes)
{
#ifdef __GLIBC__
  if (n_bytes >= MUCH_BYTES)
    malloc_trim (0);
#endif
}

/**
 * ns_pages_have_room:
 * @n_bytes: how much memory is about to be asked for
 *
 * For what g_malloc() and its kin, which end the program when there is none, would be asked for on
 * the word of a file.
 *
 * Returns: whether the system would give so much in one piece now
 */
gboolean
ns_pages_have_room (guint64 n_bytes)
{
  void *pages;

  if (n_bytes > G_MAXSSIZE)
    return FALSE;
  pages = mmap (NULL, MAX (n_bytes, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    return FALSE;
  munmap (pages, MAX (n_bytes, 1));
  return TRUE;
}

/**
 * ns_pages_make_room:
 * @array: an array without a function to clear its items
 * @n_items: how many more may be appended to it, as a file says
 *
 * Returns: %FALSE if there is no memory for so many
 */
gboolean
ns_pages_make_room (GArray *array, guint64 n_items)
{
  guint n_before = array->len;
  guint64 n_all = n_before + n_items;

  /* An array takes the next power of two, and has both pieces while it moves. */
  if (n_all > G_MAXINT32 || !ns_pages_have_room (2 * n_all * g_array_get_element_size (array)))
    return FALSE;
  g_array_set_size (array, (guint) n_all);
  g_array_set_size (array, n_before);
  return TRUE;
}
