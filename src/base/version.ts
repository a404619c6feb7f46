/** Version of this software, as reports and captures state it; a test holds it to package.json. */
export const VERSION = '0.1.0';
