import { sameBytes } from '../base/same-bytes.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import type { Headers } from '../evidence/fields.ts';
import type { RowTable } from '../evidence/row-table.ts';
import { firstHeader, isEventStream } from '../evidence/wire/exchange.ts';

const NONE = new Uint8Array();

/** One list of headers, decoded when it is another one than that of the row before. */
class LastHeaders {
  private token = NONE;
  private headers: Headers = [];

  of(table: RowTable, member: number): Headers {
    const start = table.startOf(member);
    const { token } = this;
    if (token.length > 0 && sameBytes(table.bytes, start, token, 0, token.length)) return this.headers;
    this.token = table.bytes.slice(start, table.endOf(member));
    this.headers = JSON.parse(decodeUtf8(this.token)!) as Headers;
    return this.headers;
  }
}

/** What the typed fields of exchanges need of their headers: most have those of the one before. */
export class HeadersOf {
  private readonly table: RowTable;
  private readonly request = new LastHeaders();
  private readonly response = new LastHeaders();

  constructor(table: RowTable) {
    this.table = table;
  }

  isEventStream(member: number): boolean {
    return isEventStream(this.response.of(this.table, member));
  }

  /** Whether a member is the A2A version that a request states, or null where it states none. */
  isVersion(row: number, headers: number, member: number): boolean {
    return this.table.holds(row, member, firstHeader(this.request.of(this.table, headers), 'a2a-version'));
  }
}
