/* Tests demangling, one name for each grammar production.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-undecorate.h"

#include <string.h>

typedef struct
{
  const char *name;
  const char *text;
} Pair;

static void
assert_pairs (const Pair *pairs, guint n_pairs, gboolean is_x86)
{
  for (guint i = 0; i < n_pairs; i++)
    {
      g_autofree char *text = ns_undecorate (pairs[i].name, strlen (pairs[i].name), is_x86);

      g_assert_cmpstr (text, ==, pairs[i].text);
    }
}

static void
test_cplusplus (void)
{
  /* clang-format off */
  static const Pair pairs[] = {
    { "?f@@YAXXZ", "f" },
    { "?method@Widget@inner@outer@@QEBAHH@Z", "outer::inner::Widget::method" },
    { "?smethod@Widget@inner@outer@@SAHPEBD_K@Z", "outer::inner::Widget::smethod" },
    { "??0Widget@@QEAA@H@Z", "Widget::Widget" },
    { "??1Widget@inner@outer@@QEAA@XZ", "outer::inner::Widget::~Widget" },
    { "??8Widget@@QEBA_NAEBV0@@Z", "Widget::operator==" },
    { "??4A@@QEAAAEAV0@AEBV0@@Z", "A::operator=" },
    { "??2@YAPEAX_K@Z", "operator new" },
    { "??_V@YAXPEAX@Z", "operator delete[]" },
    { "??BA@@QEBAHXZ", "A::operator int" },
    { "??BA@@QEBAP6AHH@ZXZ", "A::operator int (__cdecl*)(int)" },
    { "??RA@@QEAAXXZ", "A::operator()" },
    { "?sum@?$Arr@H$03@inner@outer@@QEBAHXZ", "outer::inner::Arr<int,4>::sum" },
    { "??$tmax@E@inner@outer@@YAEEE@Z", "outer::inner::tmax<unsigned char>" },
    { "??$f@V?$A@V?$B@H@@@@@@YAXXZ", "f<A<B<int> > >" },
    { "??$f@$$V@@YAXXZ", "f<>" },
    { "??$f@$0?0@@YAXXZ", "f<-1>" },
    { "??$f@$0BAA@@@YAXXZ", "f<256>" },
    { "??$f@PEBD@@YAXPEBD@Z", "f<char const *>" },
    { "??$f@AEBQEBD@@YAXXZ", "f<char const * const &>" },
    { "??$f@P6AHH@Z@@YAXXZ", "f<int (__cdecl*)(int)>" },
    { "??$f@$$A6AHH@Z@@YAXXZ", "f<int __cdecl(int)>" },
    { "??$f@P8A@@EAAHH@Z@@YAXXZ", "f<int (__cdecl A::*)(int)>" },
    { "??$f@PEQA@@H@@YAXXZ", "f<int A::*>" },
    { "??$f@$$BY02H@@YAXXZ", "f<int[3]>" },
    { "??$f@$$CBH@@YAXXZ", "f<int const>" },
    { "??$f@$$T@@YAXXZ", "f<std::nullptr_t>" },
    { "??$f@W4E@@@@YAXXZ", "f<E>" },
    { "??$f@_N_J_K_W@@YAXXZ", "f<bool,__int64,unsigned __int64,wchar_t>" },
    { "??$f@$1?g@@YAXXZ@@YAXXZ", "f<&g>" },
    { "?f@?A0x1234abcd@@YAXXZ", "`anonymous namespace'::f" },
    { "?x@?1??f@@YAXXZ@4HA", "`f'::`2'::x" },
    { "?x@A@@2HA", "A::x" },
    { "??_7A@@6B@", "A::`vftable'" },
    { "??_7A@@6BB@@@", "A::`vftable'" },
    { "??_GA@@UEAAPEAXI@Z", "A::`scalar deleting dtor'" },
    { "??_R0?AVA@@@8", "A `RTTI Type Descriptor'" },
    { "??_R4A@@6B@", "A::`RTTI Complete Object Locator'" },
    { "??_C@_03ABC@abc?$AA@", "`string'" },
    { "??__Efoo@@YAXXZ", "`dynamic initializer for 'foo''" },
    { "??__F?x@A@@2HA@@YAXXZ", "`dynamic atexit destructor for 'A::x''" },
    { "?f@A@@$4PPPPPPPM@A@EAAXXZ", "A::f" },
    { "?f@@9", "f" },
    { "__imp_?f@@YAXXZ", "__imp_f" },
    /* Unsupported names are unchanged. */
    { "??@0123456789abcdef0123456789abcdef@", "??@0123456789abcdef0123456789abcdef@" },
    { "?f@@", "?f@@" },
    { "?", "?" },
    { "", "" },
    { "main", "main" },
    { "_main", "_main" },
  };
  /* clang-format on */

  assert_pairs (pairs, G_N_ELEMENTS (pairs), FALSE);
}

static void
test_c_of_x86 (void)
{
  static const Pair pairs[] = {
    { "_f", "f" },
    { "_f@8", "f" },
    { "@f@8", "f" },
    { "f@@8", "f" },
    { "__imp__f@8", "__imp_f" },
    { "?f@@YAXXZ", "f" },
    { "plain", "plain" },
  };

  assert_pairs (pairs, G_N_ELEMENTS (pairs), TRUE);
}

/* Names of nested back-references and deep templates must be processed at low cost. */
static void
test_hostile_names (void)
{
  g_autoptr (GString) tower = g_string_new ("?");
  g_autoptr (GString) growing = g_string_new ("??$f@");
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  for (guint i = 0; i < 15000; i++)
    g_string_append (tower, "?$a@");
  first = ns_undecorate (tower->str, tower->len, FALSE);
  g_assert_cmpstr (first, ==, tower->str);

  for (guint i = 0; i < 4000; i++)
    g_string_append (growing, "V?$a@V0@V0@@@");
  second = ns_undecorate (growing->str, growing->len, FALSE);
  g_assert_cmpstr (second, ==, growing->str);
}

static void
test_any_bytes (void)
{
  static const char letters[] = "?@$_0123456789ABCDEPQVUYZXH<";
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint round = 0; round < 20000; round++)
    {
      char name[48] = "?";
      g_autofree char *text = NULL;
      gint n_name = g_rand_int_range (rand, 2, (gint) sizeof name);

      for (gint i = 1; i < n_name; i++)
        name[i] = letters[g_rand_int_range (rand, 0, (gint) sizeof letters - 1)];
      text = ns_undecorate (name, (gsize) n_name, FALSE);
      g_assert_cmpuint (strlen (text), >, 0);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/undecorate/cplusplus", test_cplusplus);
  g_test_add_func ("/undecorate/c-of-x86", test_c_of_x86);
  g_test_add_func ("/undecorate/hostile-names", test_hostile_names);
  g_test_add_func ("/undecorate/any-bytes", test_any_bytes);
  return g_test_run ();
}
