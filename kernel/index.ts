export { rows } from './rows';
export { scan, setValuesMet, valuesMet } from './schema';
