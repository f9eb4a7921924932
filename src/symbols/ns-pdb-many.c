/* Looks up the functions and source lines of many addresses at once.
 *
 * The addresses are grouped by module, so that each module's stream is read once; one buffer serves
 * all modules in turn. With many modules a second thread takes its share, using a twin PDB over the
 * same bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-meanwhile.h"
#include "symbols/ns-pdb-private.h"

#define MAX_LEVELS (NS_PDB_MAX_INLINE_DEPTH + 1)
/* Below this number of modules a second thread does not pay. */
#define MIN_MODULES 8u

/* An address and the module that contributed its code. */
typedef struct
{
  guint32 module; /* number of its module; the number of modules: in none */
  guint32 source; /* address in the image as it was linked */
  guint i;
} Wanted;

/* The frames of an address. */
typedef struct
{
  const GArray *frames; /* the array that holds them */
  guint first;
  guint n_frames;
} Found;

/* The work shared by the threads: addresses grouped by module; each module is taken by one
 * thread. */
typedef struct
{
  const Wanted *wanted;
  Found *found;        /* one for each of @wanted */
  const guint *begins; /* index of the first address of each module, and the end */
  guint n_begins;
  int next; /* next module to take; atomic */
} Work;

/* The state of one thread. */
typedef struct
{
  NsPdb *pdb;
  Work *work;
  GArray *frames; /* (element-type NsPdbFrame): of all its addresses */
} Part;

static void
part_init (Part *self, NsPdb *pdb, Work *work)
{
  self->pdb = pdb;
  self->work = work;
  self->frames =
      g_array_sized_new (FALSE, FALSE, sizeof (NsPdbFrame), work->begins[work->n_begins]);
}

static void
look_up_module (Part *self, guint begin, guint end)
{
  guint32 module = self->work->wanted[begin].module;
  guint32 number = module < self->pdb->modules->len ? module : NS_PDB_NO_MODULE;
  NsPdbFrame frames[MAX_LEVELS];

  for (guint i = begin; i < end; i++)
    {
      guint n_frames = ns_pdb_lookup_in_module (self->pdb,
                                                number,
                                                self->work->wanted[i].source,
                                                frames,
                                                MAX_LEVELS);

      self->work->found[i] = (Found){ self->frames, self->frames->len, n_frames };
      g_array_append_vals (self->frames, frames, n_frames);
    }
  ns_pdb_unload_module (self->pdb, module);
}

static gpointer
look_up_part (gpointer data)
{
  Part *self = data;
  const Work *work = self->work;

  for (;;)
    {
      guint i = (guint) g_atomic_int_add (&self->work->next, 1);

      if (i >= work->n_begins)
        return NULL;
      look_up_module (self, work->begins[i], work->begins[i + 1]);
    }
}

/* Sorts the addresses by module (a stable counting sort), and reports addresses without a source
 * address right away. */
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

/* Indexes of the first address of each module, and the end. */
static guint *
find_begins (const Wanted *all, guint n_wanted, guint *n_begins)
{
  guint *begins = g_new (guint, (gsize) n_wanted + 1);

  *n_begins = 0;
  for (guint i = 0; i < n_wanted; i++)
    if (i == 0 || all[i].module != all[i - 1].module)
      begins[(*n_begins)++] = i;
  begins[*n_begins] = n_wanted;
  return begins;
}

static void
report_found (const Work *work, NsPdbFramesFunc func, gpointer user_data)
{
  for (guint i = 0; i < work->begins[work->n_begins]; i++)
    {
      const Found *found = &work->found[i];
      const NsPdbFrame *frames = (const NsPdbFrame *) (gconstpointer) found->frames->data;

      func (work->wanted[i].i, frames + found->first, found->n_frames, user_data);
    }
}

/**
 * ns_pdb_lookup_many:
 * @self: a PDB
 * @rvas: (array length=n_rvas): addresses relative to the image base, in any order
 * @n_rvas: number of addresses
 * @func: (scope call): called once for each address, in any order, in the calling thread
 * @user_data: for @func
 *
 * Looks up many addresses; each result is that of ns_pdb_lookup().
 */
void
ns_pdb_lookup_many (NsPdb *self,
                    const guint32 *rvas,
                    guint n_rvas,
                    NsPdbFramesFunc func,
                    gpointer user_data)
{
  g_autofree Wanted *all = NULL;
  g_autofree Found *found = NULL;
  g_autofree guint *begins = NULL;
  NsMeanwhile meanwhile = { 0 };
  gboolean is_shared;
  Work work = { 0 };
  Part mine;
  Part other = { 0 };

  ns_pdb_read_map (self);
  all = sort_by_module (self, rvas, &n_rvas, func, user_data);
  begins = find_begins (all, n_rvas, &work.n_begins);
  found = g_new (Found, n_rvas);
  work.wanted = all;
  work.found = found;
  work.begins = begins;
  is_shared =
      work.n_begins >= MIN_MODULES && g_get_num_processors () > 1 && ns_pdb_ensure_twin (self);
  if (is_shared)
    {
      part_init (&other, self->twin, &work);
      ns_meanwhile_begin (&meanwhile, "lookup", look_up_part, &other);
    }
  part_init (&mine, self, &work);
  look_up_part (&mine);
  ns_meanwhile_end (&meanwhile);
  if (is_shared)
    {
      self->n_damaged += self->twin->n_damaged;
      self->twin->n_damaged = 0;
    }
  report_found (&work, func, user_data);
  g_array_unref (mine.frames);
  g_clear_pointer (&other.frames, g_array_unref);
}
