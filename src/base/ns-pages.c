/* Large allocations straight from the system, returned to it when freed.
 *
 * After a block of up to 32 MiB was freed, glibc allocates blocks of that size on its heap, and
 * memory freed inside the heap stays with the process. A large trace allocates and frees hundreds
 * of megabytes in blocks that nothing else can reuse.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-pages.h"

#include <sys/mman.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Minimum size for huge pages: such blocks are tables with random access, where each look-up
 * touches another page. */
#define HUGE_BYTES ((gsize) 2 << 20)
#define MUCH_BYTES ((guint64) 16 << 20)

/**
 * ns_pages_new:
 * @n_bytes: size, not 0
 *
 * Allocates memory that is soon used completely. Aborts the program when out of memory, as
 * g_malloc() does.
 *
 * Returns: (transfer full): zeroed memory, to be freed with ns_pages_free()
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
  /* Map all pages now; otherwise each page costs two faults, because it is read before it is
   * written. Kernels that do not know the advice ignore it. */
  madvise (pages, n_bytes, MADV_POPULATE_WRITE);
#endif
  return pages;
}

/**
 * ns_pages_free:
 * @pages: (transfer full) (nullable): memory from ns_pages_new()
 * @n_bytes: its size
 */
void
ns_pages_free (gpointer pages, gsize n_bytes)
{
  if (pages != NULL)
    munmap (pages, n_bytes);
}

/**
 * ns_pages_give_back:
 * @n_bytes: size of the data that was read, about that of the freed memory
 *
 * Returns free heap memory to the system. Takes a few milliseconds; meant for moments when much was
 * freed and much else will be allocated. Does nothing for a small @n_bytes, since the next
 * allocations would request the same pages again.
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
 * @n_bytes: size of a planned allocation
 *
 * Checks an allocation whose size comes from a file, because g_malloc() aborts when out of memory.
 *
 * Returns: whether the system would currently allow an allocation of that size
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
 * @array: an array without a clear function
 * @n_items: number of items to be appended, as stated by a file
 *
 * Returns: %FALSE if there is not enough memory
 */
gboolean
ns_pages_make_room (GArray *array, guint64 n_items)
{
  guint n_before = array->len;
  guint64 n_all = n_before + n_items;

  /* GArray rounds up to a power of two, and holds both blocks while it moves. */
  if (n_all > G_MAXINT32 || !ns_pages_have_room (2 * n_all * g_array_get_element_size (array)))
    return FALSE;
  g_array_set_size (array, (guint) n_all);
  g_array_set_size (array, n_before);
  return TRUE;
}
