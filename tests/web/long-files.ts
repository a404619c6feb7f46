import { bundleOf } from '../support/bundle.ts';
import { pinningProfile, sealedFiles } from '../support/pair.ts';
import { common, records } from '../support/records.ts';
import type { Files } from './chromium.ts';

/** A quiet trace with so many more references, each with its relationship; their ids are `long-N`. */
export const longFiles = (count: number): Files => {
  const own = records();
  const [first] = own.uri_references;
  const last = Math.max(...Object.values(own).flatMap((rows) => rows.map(({ sequence }) => sequence)));
  const more = Array.from({ length: count }, (_, at) => ({
    ...first,
    ...common(`long-${at}`, last),
    sequence: last + 1 + at,
    reference_id: `long-${at}`,
  }));
  const bundle = bundleOf({ ...own, uri_references: [...own.uri_references, ...more] });
  return sealedFiles(bundle, pinningProfile(bundle));
};
