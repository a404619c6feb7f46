export type ToolClass = 'shell' | 'fs' | 'http' | 'payment' | 'sql' | 'email';

/**
 * The tools PCM 0.1 places, by class: 54 exact, case-sensitive names. A part of the protocol: no sender, policy or later version of a pack changes how a
 * call is classed. The hash of its JCS text is pinned by a test.
 */
const PLACED: Readonly<Record<ToolClass, readonly string[]>> = {
  shell: [
    'Bash',
    'bash',
    'container.exec',
    'local_shell',
    'run_shell_command',
    'run_terminal_cmd',
    'shell',
    'terminal',
  ],
  fs: ['Edit', 'Glob', 'Grep', 'MultiEdit', 'NotebookEdit', 'Read', 'Write'],
  http: [
    'WebFetch',
    'WebSearch',
    'fetch',
    'http_get',
    'http_post',
    'http_request',
    'mcp:fetch/fetch',
    'requests_delete',
    'requests_get',
    'requests_patch',
    'requests_post',
    'requests_put',
    'srt:request',
    'web_fetch',
  ],
  payment: [
    'create_charge',
    'create_payment',
    'create_payout',
    'create_refund',
    'create_transfer',
    'get_balance',
    'get_transaction',
    'list_payments',
    'list_transactions',
    'pay_invoice',
    'send_payment',
    'transfer_funds',
  ],
  sql: [
    'execute_query',
    'execute_sql',
    'mcp:mysql/execute_sql',
    'mcp:postgres/query',
    'mcp:sqlite/read_query',
    'mcp:sqlite/write_query',
    'mcp:supabase/execute_sql',
    'query_database',
    'run_sql',
    'sql_db_query',
  ],
  email: ['gmail_send_message', 'send_email', 'send_gmail_message'],
};

/** Each placed tool and its class. */
export const TOOL_CLASSES: ReadonlyMap<string, ToolClass> = new Map(
  (Object.keys(PLACED) as ToolClass[]).flatMap((placed) => PLACED[placed].map((tool) => [tool, placed] as const)),
);
