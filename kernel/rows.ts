// The rows of one list of a bundle, as many as stand in memory: where each stands, where its members start, and what many steps ask of a record.
import { members, setValuesMet, valuesMet } from './schema';
import { byteAt, integerEnd, integerOf, spaceEnd } from './text';
import { timeRank } from './time';

/** How a run over rows ended: with the list, for want of room, or at what is no row, or goes on beyond what is in memory. */
enum Ending {
  List,
  Full,
  NoRow,
}

/**
 * Scans rows from `from` on, the opening bracket of the list being behind it, until there is no `room` for more. One after the other stand at `out` then, each with so much
 * room: where rows start; their lengths; where their ids end among `ids`; their sequences and ranks of their times, of 64 bits; where the value of each member starts, counted from its row; the ids.
 * Of a list that has no records `idMember` is below 0. At `state` stand where it stopped, how many rows were found, and how it ended.
 */
export function rows(
  state: u32,
  program: u32,
  from: u32,
  out: u32,
  room: u32,
  idMember: i32,
  sequenceMember: i32,
  timeMember: i32,
): void {
  const size = 4 * load<u32>(program + 4);
  const sequences = out + 12 * room;
  const times = sequences + 8 * room;
  const values = times + 8 * room;
  const ids = values + size * room;
  let at = from;
  let found: u32 = 0;
  let idEnd: u32 = 0;
  let ending: Ending = Ending.Full;
  while (found < room) {
    const start = spaceEnd(at);
    const starts = values + size * found;
    const met = valuesMet();
    const end = members(program, start, starts);
    const next = end === 0 ? 0 : spaceEnd(end);
    const mark = end === 0 ? 0 : byteAt(next);
    if (mark !== 0x2c && mark !== 0x5d) {
      setValuesMet(met);
      ending = Ending.NoRow;
      break;
    }
    store<u32>(out + 4 * found, start);
    store<u32>(out + 4 * (room + found), end - start);
    if (idMember >= 0) {
      const id = start + load<u32>(starts + 4 * idMember) + 1;
      let to = id;
      while (byteAt(to) !== 0x22) to++;
      memory.copy(ids + idEnd, id, to - id);
      idEnd += to - id;
      const sequence = start + load<u32>(starts + 4 * sequenceMember);
      store<f64>(sequences + 8 * found, integerOf(sequence, integerEnd(sequence)));
      store<f64>(times + 8 * found, timeRank(start + load<u32>(starts + 4 * timeMember)));
    }
    store<u32>(out + 4 * (2 * room + found), idEnd);
    found++;
    at = next + 1;
    if (mark === 0x5d) {
      ending = Ending.List;
      break;
    }
  }
  store<u32>(state, at);
  store<u32>(state + 4, found);
  store<u32>(state + 8, ending);
}
