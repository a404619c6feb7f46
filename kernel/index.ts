export { envelope, joined } from './commit';
export { entries, hex, stands } from './list';
export { rows } from './rows';
export { said } from './said';
export { scan, setValuesMet, valuesMet } from './schema';
export { member, tape } from './tape';
export { same } from './text';
