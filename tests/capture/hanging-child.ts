import { startCapture } from '../../src/capture/index.ts';
import { followingCapture } from './following.ts';

/** Follows a URI of a message, and waits for a service that never answers, until it is killed. */
const [dir, uri] = process.argv.slice(2);
await followingCapture(startCapture({ dir: dir!, incident_id: 'incident-1', profile_id: 'general' }), uri!);
