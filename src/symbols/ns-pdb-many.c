/* From many addresses to the names and lines of their code.
 *
 * The stream of each module is read once, however the addresses lie, and its memory serves the
 * next one. Of many modules another thread takes half, with a PDB of its own over the same bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-pdb-private.h"

#define MAX_LEVELS (NS_PDB_MAX_INLINE_DEPTH + 1)
/* For fewer modules a thread is not worth its while. */
#define MIN_MODULES 8u

/* An address, with the module that gave its code. */
typedef struct
{
  guint32 module; /* one behind the last: none */
  guint32 source; /* in the image as it was linked */
  guint i;
} Wanted;

/* What one thread looks up, and what it found. */
typedef struct
{
  NsPdb *pdb;
  const Wanted *wanted;
  guint n_wanted;
  guint *n_frames; /* of each of these */
  GArray *frames;  /* (element-type NsPdbFrame): one after the other */
} Part;

static void
part_init (Part *self, NsPdb *pdb, const Wanted *wanted, guint n_wanted)
{
  self->pdb = pdb;
  self->wanted = wanted;
  self->n_wanted = n_wanted;
  self->n_frames = g_new0 (guint, n_wanted);
  self->frames = g_array_sized_new (FALSE, FALSE, sizeof (NsPdbFrame), n_wanted);
}

static void
part_clear (Part *self)
{
  g_free (self->n_frames);
  g_array_unref (self->frames);
}

static void
part_look_up (Part *self)
{
  NsPdbFrame frames[MAX_LEVELS];

  for (guint i = 0; i < self->n_wanted; i++)
    {
      const Wanted *one = &self->wanted[i];

      self->n_frames[i] =
          ns_pdb_lookup_in_module (self->pdb,
                                   one->module < self->pdb->modules->len ? one->module
                                                                         : NS_PDB_NO_MODULE,
                                   one->source,
                                   frames,
                                   MAX_LEVELS);
      g_array_append_vals (self->frames, frames, self->n_frames[i]);
      if (i + 1 == self->n_wanted || one[1].module != one->module)
        ns_pdb_unload_module (self->pdb, one->module);
    }
}

static void
part_tell (const Part *self, NsPdbFramesFunc func, gpointer user_data)
{
  const NsPdbFrame *frames = (const NsPdbFrame *) (gconstpointer) self->frames->data;

  for (guint i = 0; i < self->n_wanted; i++)
    {
      func (self->wanted[i].i, frames, self->n_frames[i], user_data);
      frames += self->n_frames[i];
    }
}

static gpointer
look_up_part (gpointer data)
{
  part_look_up (data);
  return NULL;
}

/* Addresses with those of the same module beside them, each kind in the order it came; those that
 * are nowhere are told of at once.
 */
static Wanted *
sort_by_module (const NsPdb *self,
                const guint32 *rvas,
                guint *n_rvas,
                NsPdbFramesFunc func,
                gpointer user_data)
{
  g_autofree Wanted *all = g_new (Wanted, *n_rvas);
  g_autofree guint *begins = g_new0 (guint, self->modules->len + 2);
  Wanted *sorted = g_new (Wanted, *n_rvas);
  guint n_wanted = 0;

  for (guint i = 0; i < *n_rvas; i++)
    {
      Wanted *one = &all[n_wanted];
      const NsPdbContribution *contribution;

      if (!ns_pdb_to_source (self, rvas[i], &one->source))
        {
          func (i, NULL, 0, user_data);
          continue;
        }
      contribution = ns_pdb_find_contribution (self, one->source);
      one->module = contribution != NULL ? MIN (contribution->module, self->modules->len)
                                         : self->modules->len;
      one->i = i;
      begins[one->module + 1]++;
      n_wanted++;
    }
  for (guint i = 0; i < self->modules->len + 1; i++)
    begins[i + 1] += begins[i];
  for (guint i = 0; i < n_wanted; i++)
    sorted[begins[all[i].module]++] = all[i];
  *n_rvas = n_wanted;
  return sorted;
}

/* Where a second thread could begin: at a module, with half of them behind; 0: not worth it. */
static guint
find_half (const Wanted *all, guint n_wanted)
{
  guint n_modules = 0;
  guint n_passed = 0;

  for (guint i = 0; i < n_wanted; i++)
    n_modules += i == 0 || all[i].module != all[i - 1].module ? 1 : 0;
  if (n_modules < MIN_MODULES || g_get_num_processors () < 2)
    return 0;
  for (guint i = 1; i < n_wanted; i++)
    {
      n_passed += all[i].module != all[i - 1].module ? 1 : 0;
      if (n_passed == n_modules / 2)
        return i;
    }
  return 0;
}

/**
 * ns_pdb_lookup_many:
 * @self: a PDB
 * @rvas: (array length=n_rvas): addresses relative to the begin of the image, in any order
 * @n_rvas: how many
 * @func: (scope call): told of each address once, not in their order; in this thread
 * @user_data: for @func
 *
 * As ns_pdb_lookup() does for one.
 */
void
ns_pdb_lookup_many (NsPdb *self,
                    const guint32 *rvas,
                    guint n_rvas,
                    NsPdbFramesFunc func,
                    gpointer user_data)
{
  g_autofree Wanted *all = NULL;
  GThread *thread = NULL;
  Part mine;
  Part other;
  guint half;

  ns_pdb_read_map (self);
  all = sort_by_module (self, rvas, &n_rvas, func, user_data);
  half = find_half (all, n_rvas);
  if (half > 0 && ns_pdb_ensure_twin (self))
    {
      part_init (&other, self->twin, all + half, n_rvas - half);
      thread = g_thread_new ("lookup", look_up_part, &other);
    }
  part_init (&mine, self, all, thread != NULL ? half : n_rvas);
  part_look_up (&mine);
  part_tell (&mine, func, user_data);
  part_clear (&mine);
  if (thread != NULL)
    {
      g_thread_join (thread);
      self->n_damaged += self->twin->n_damaged;
      self->twin->n_damaged = 0;
      part_tell (&other, func, user_data);
      part_clear (&other);
    }
}
