#!/usr/bin/env python3
"""Checks that the program calls every public function; functions that only tests call are listed here with a reason."""
import pathlib
import re
import subprocess
import sys

# Reason: pattern of functions that no other file of src calls.
WITHOUT_CALLERS = {
    # Tests write their traces with the ETL writer, of which exports use a part.
    'the writer of traces': r'ns_etl_(writer|bytes)_\w+',
    # Getters by which tests read internal state.
    'what a test asks': r'ns_(activity_ids_get_(parent|size)|capture_kit_get_(n_facts|fact)|columns_get_size'
                        r'|hex_layout_get_n_columns|pair_lanes_count|pe_get_identity|print_get_rows|sched_state_to_text'
                        r'|schema_block_get_(id|n_events)|schema_xml_get_size|schemas_get_n_rejected|stacks_get_bytes'
                        r'|strings_find|sums_of_rows|tcpip_get_delayed_acks|threshold_get_key)',
    # Functions by which tests change a limit, or add to or clear a process-wide list.
    'what a test sets': r'ns_(etl_source_set_least_unpacked|secret_names_add|symbol_job_configure'
                        r'|thresholds_(add|forget))',
    # Steps of a longer operation that are tested separately.
    'a step with tests of its own': r'ns_(capture_kit_parse|chain_new|chain_thread_switch_to_text|cli_codes_print'
                                    r'|cli_open_trace_for_list|color_get_contrast|field_append_milliseconds'
                                    r'|file_ask_dup_path_of|file_look_guess|filter_literals_\w+|paint_get_ellipsis'
                                    r'|pair_(paint_\w+|deviation_is_wrong)|parquet_add_row|pdb_new|pe_new|renderer_has_card'
                                    r'|sockaddr_read|symbol_server_build_uri|symbol_source_new_for_memory|trace_new_empty'
                                    r'|table_get_needs|view_file_parse)',
    # The counterpart of a function that has callers.
    'half of a pair': r'ns_(color_get_luminance|load_bar_get_bytes)',
    # Declared in a header with functions that others call, but called only in its own file.
    'for its own file': r'ns_(codes_format_number|event_fields_select|export_chain_append_frame'
                        r'|export_recipe_get_detail_name|filter_number_is_signed|findings_(add_unjudged|has_losses)'
                        r'|host_names_enter|pdb_(dup_text|module_\w+)|smb_set_transport|accessible_set_mnemonic'
                        r'|table_find_nearest_field|table_group_dup_name|table_view_update_(titles|waterfall)'
                        r'|timeline_is_sticky|tls_store_get|typed_kind_to_text|window_load)',
    # Called by macros of GObject.
    'types': r'ns_\w+_get_type',
}

nm, build = sys.argv[1], pathlib.Path(sys.argv[2]) / 'src'
home, needed = {}, set()
objects = [str(path) for path in sorted(build.rglob('*.o'))]
for at in range(0, len(objects), 200):
    text = subprocess.run([nm, '-A', *objects[at:at + 200]], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        path, _, rest = line.partition(':')
        words = rest.split()
        if len(words) == 3 and words[1] == 'T':
            home[words[2]] = pathlib.Path(path).name[:-len('.o')]
        elif len(words) == 2 and words[0] == 'U':
            needed.add(words[1])
unused = {name for name in home if name.startswith('ns_') and name not in needed}
wrong = [f'{home[name]}: {name} has no caller in src: remove it, make it static, or say in {sys.argv[0]} why it is there'
         for name in sorted(unused) if not any(re.fullmatch(names, name) for names in WITHOUT_CALLERS.values())]
wrong += [f'{why}: nothing is like that any more; strike it' for why, names in WITHOUT_CALLERS.items()
          if not any(re.fullmatch(names, name) for name in unused)]
if not home:
    wrong.append(f'nothing is compiled below {build}')
print('\n'.join(wrong) or f'{len(home)} functions, {len(unused)} without a caller, each with its reason')
sys.exit(bool(wrong))
