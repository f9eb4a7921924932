/* Lists the modules with missing symbols, to download them elsewhere.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-symbol-job.h"

/**
 * ns_symbol_job_list_missing:
 * @self: a job
 *
 * Returns: (transfer full): a line `name;guid;age` for each module whose symbols are missing and
 *   can be identified
 */
char *
ns_symbol_job_list_missing (NsSymbolJob *self)
{
  g_autoptr (GPtrArray) modules = ns_symbol_job_list_modules (self);
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < modules->len; i++)
    {
      const NsSymbolModule *module = g_ptr_array_index (modules, i);
      g_autofree char *safe = module->pdb != NULL ? ns_symbol_safe_name (module->pdb) : NULL;

      if (module->info.state != NS_MODULE_FOUND && module->key != NULL && safe != NULL)
        g_string_append_printf (text, "%s;%s\n", safe, module->key);
    }
  return g_string_free (text, FALSE);
}
