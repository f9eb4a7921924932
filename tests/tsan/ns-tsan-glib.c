/* Annotates GLib's locks, queues and tasks for ThreadSanitizer.
 *
 * GLib is not built with the sanitizer and uses futexes directly, so everything it protects would
 * be reported as a race. This library is preloaded in a build with -Db_sanitize=thread. It wraps
 * the functions that pass memory between threads and tells the sanitizer about the order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <dlfcn.h>
#include <gio/gio.h>

void __tsan_acquire (void *address);
void __tsan_release (void *address);

#define REAL(name)                                                                                 \
  static __typeof__ (name) *real_;                                                                 \
  if (real_ == NULL)                                                                               \
  real_ = (__typeof__ (name) *) dlsym (RTLD_NEXT, #name)

static void
hand_over (void *address)
{
  __tsan_acquire (address);
  __tsan_release (address);
}

/* clang-format off */
#define LOCK(name, Type)                                                                           \
  void name (Type *lock) { REAL (name); real_ (lock); __tsan_acquire (lock); }
#define UNLOCK(name, Type)                                                                         \
  void name (Type *lock) { REAL (name); __tsan_release (lock); real_ (lock); }
#define TRY_LOCK(name, Type)                                                                       \
  gboolean name (Type *lock)                                                                       \
  { gboolean ok; REAL (name); ok = real_ (lock); if (ok) __tsan_acquire (lock); return ok; }

LOCK (g_mutex_lock, GMutex)
UNLOCK (g_mutex_unlock, GMutex)
TRY_LOCK (g_mutex_trylock, GMutex)
LOCK (g_rec_mutex_lock, GRecMutex)
UNLOCK (g_rec_mutex_unlock, GRecMutex)
LOCK (g_rw_lock_reader_lock, GRWLock)
UNLOCK (g_rw_lock_reader_unlock, GRWLock)
LOCK (g_rw_lock_writer_lock, GRWLock)
UNLOCK (g_rw_lock_writer_unlock, GRWLock)
/* clang-format on */

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  REAL (g_cond_wait);
  __tsan_release (mutex);
  real_ (cond, mutex);
  __tsan_acquire (mutex);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  gboolean ok;

  REAL (g_cond_wait_until);
  __tsan_release (mutex);
  ok = real_ (cond, mutex, end_time);
  __tsan_acquire (mutex);
  return ok;
}

void
g_async_queue_push (GAsyncQueue *queue, gpointer data)
{
  REAL (g_async_queue_push);
  hand_over (queue);
  real_ (queue, data);
}

gpointer
g_async_queue_pop (GAsyncQueue *queue)
{
  gpointer data;

  REAL (g_async_queue_pop);
  data = real_ (queue);
  hand_over (queue);
  return data;
}

gpointer
g_async_queue_try_pop (GAsyncQueue *queue)
{
  gpointer data;

  REAL (g_async_queue_try_pop);
  data = real_ (queue);
  hand_over (queue);
  return data;
}

void
g_object_unref (gpointer object)
{
  REAL (g_object_unref);
  hand_over (object);
  real_ (object);
}

gboolean (g_atomic_ref_count_dec) (gatomicrefcount *count)
{
  REAL (g_atomic_ref_count_dec);
  hand_over (count);
  return real_ (count);
}

/* Reference-counted memory: the last owner frees what other threads have read. */
/* clang-format off */
#define UNREF(name, Type)                                                                          \
  void name (Type *shared) { REAL (name); hand_over (shared); real_ (shared); }

UNREF (g_array_unref, GArray)
UNREF (g_ptr_array_unref, GPtrArray)
UNREF (g_bytes_unref, GBytes)
UNREF (g_hash_table_unref, GHashTable)
/* clang-format on */

/* A function called on another thread, ordered after all writes before the call was queued. */
typedef struct
{
  gpointer func;
  gpointer data;
  GDestroyNotify notify;
} Call;

static void
pool_call (gpointer item, gpointer user_data)
{
  Call *call = user_data;

  __tsan_acquire (call);
  ((GFunc) call->func) (item, call->data);
  hand_over (call);
}

GThreadPool *
g_thread_pool_new (GFunc func,
                   gpointer user_data,
                   gint max_threads,
                   gboolean exclusive,
                   GError **error)
{
  Call *call = g_new0 (Call, 1); /* leaked: threads of a pool may outlive it */
  GThreadPool *pool;

  REAL (g_thread_pool_new);
  call->func = (gpointer) func;
  call->data = user_data;
  pool = real_ (pool_call, call, max_threads, exclusive, error);
  return pool;
}

gboolean
g_thread_pool_push (GThreadPool *pool, gpointer item, GError **error)
{
  REAL (g_thread_pool_push);
  hand_over (pool->user_data);
  return real_ (pool, item, error);
}

void
g_thread_pool_free (GThreadPool *pool, gboolean immediate, gboolean wait)
{
  gpointer call = pool->user_data;

  REAL (g_thread_pool_free);
  real_ (pool, immediate, wait);
  __tsan_acquire (call);
}

static void
task_call (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  GTaskThreadFunc func = (GTaskThreadFunc) g_object_get_data (G_OBJECT (task), "tsan-func");

  __tsan_acquire (task);
  func (task, source_object, task_data, cancellable);
  __tsan_release (task);
}

void
g_task_run_in_thread (GTask *task, GTaskThreadFunc func)
{
  REAL (g_task_run_in_thread);
  g_object_set_data (G_OBJECT (task), "tsan-func", (gpointer) func);
  __tsan_release (task);
  real_ (task, task_call);
}

void
g_task_return_pointer (GTask *task, gpointer result, GDestroyNotify destroy)
{
  REAL (g_task_return_pointer);
  __tsan_release (task);
  real_ (task, result, destroy);
}

void
g_task_return_boolean (GTask *task, gboolean result)
{
  REAL (g_task_return_boolean);
  __tsan_release (task);
  real_ (task, result);
}

void
g_task_return_int (GTask *task, gssize result)
{
  REAL (g_task_return_int);
  __tsan_release (task);
  real_ (task, result);
}

void
g_task_return_error (GTask *task, GError *error)
{
  REAL (g_task_return_error);
  __tsan_release (task);
  real_ (task, error);
}

gpointer
g_task_propagate_pointer (GTask *task, GError **error)
{
  REAL (g_task_propagate_pointer);
  __tsan_acquire (task);
  return real_ (task, error);
}

gboolean
g_task_propagate_boolean (GTask *task, GError **error)
{
  REAL (g_task_propagate_boolean);
  __tsan_acquire (task);
  return real_ (task, error);
}

gssize
g_task_propagate_int (GTask *task, GError **error)
{
  REAL (g_task_propagate_int);
  __tsan_acquire (task);
  return real_ (task, error);
}

static gboolean
source_call (gpointer data)
{
  Call *call = data;

  __tsan_acquire (call);
  return ((GSourceFunc) call->func) (call->data);
}

static void
source_free (gpointer data)
{
  Call *call = data;

  if (call->notify != NULL)
    call->notify (call->data);
  g_free (call);
}

void
g_main_context_invoke_full (GMainContext *context,
                            gint priority,
                            GSourceFunc func,
                            gpointer data,
                            GDestroyNotify notify)
{
  Call *call = g_new0 (Call, 1);

  REAL (g_main_context_invoke_full);
  call->func = (gpointer) func;
  call->data = data;
  call->notify = notify;
  __tsan_release (call);
  real_ (context, priority, source_call, call, source_free);
}

gboolean (g_once_init_enter) (volatile void *location)
{
  gboolean is_first;

  REAL (g_once_init_enter);
  is_first = real_ (location);
  __tsan_acquire ((void *) location);
  return is_first;
}

void (g_once_init_leave) (volatile void *location, gsize result)
{
  REAL (g_once_init_leave);
  __tsan_release ((void *) location);
  real_ (location, result);
}
