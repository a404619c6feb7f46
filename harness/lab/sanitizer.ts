import sanitizeHtml from 'sanitize-html';
import { installed } from './versions.ts';

/** The sanitizer library in use. */
export const SANITIZER = installed('sanitize-html');

/** Runs the library with its own defaults, headings allowed. */
export const sanitize = (html: string): string =>
  sanitizeHtml(html, { allowedTags: [...sanitizeHtml.defaults.allowedTags, 'h1'] });
