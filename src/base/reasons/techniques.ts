/** The catalogues whose ids the reason registry names: MITRE ATLAS, the OWASP Top 10 for Agentic Applications, and CWE. */
export const TAXONOMIES = {
  ATLAS: {
    version: '5.6.0',
    organization: 'MITRE',
    title: 'Adversarial Threat Landscape for AI Systems',
    home: 'https://atlas.mitre.org/',
  },
  'OWASP-ASI': {
    version: '2026',
    organization: 'OWASP',
    title: 'OWASP Top 10 for Agentic Applications',
    home: 'https://genai.owasp.org/resource/owasp-top-10-for-agentic-applications-for-2026/',
  },
  CWE: {
    version: '4',
    organization: 'MITRE',
    title: 'Common Weakness Enumeration',
    home: 'https://cwe.mitre.org/',
  },
} as const;
export type Taxonomy = keyof typeof TAXONOMIES;

/** Every technique id of the reason registry by its name in the catalogue it comes from. */
export const TECHNIQUE_NAMES: Readonly<Record<string, string>> = {
  'AML.T0029': 'Denial of AI Service',
  'AML.T0034.002': 'Agentic Resource Consumption',
  'AML.T0053': 'AI Agent Tool Invocation',
  'AML.T0073': 'Impersonation',
  'AML.T0074': 'Masquerading',
  'AML.T0075': 'Cloud Service Discovery',
  'AML.T0077': 'LLM Response Rendering',
  'AML.T0078': 'Drive-by Compromise',
  'AML.T0086': 'Exfiltration via AI Agent Tool Invocation',
  'AML.T0109': 'AI Supply Chain Rug Pull',
  ASI02: 'Tool Misuse and Exploitation',
  ASI03: 'Identity and Privilege Abuse',
  ASI04: 'Agentic Supply Chain Vulnerabilities',
  ASI05: 'Unexpected Code Execution (RCE)',
  ASI07: 'Insecure Inter-Agent Communication',
  ASI08: 'Cascading Failures',
  ASI09: 'Human-Agent Trust Exploitation',
  'CWE-79': "Improper Neutralization of Input During Web Page Generation ('Cross-site Scripting')",
  'CWE-116': 'Improper Encoding or Escaping of Output',
  'CWE-176': 'Improper Handling of Unicode Encoding',
  'CWE-290': 'Authentication Bypass by Spoofing',
  'CWE-322': 'Key Exchange without Entity Authentication',
  'CWE-345': 'Insufficient Verification of Data Authenticity',
  'CWE-347': 'Improper Verification of Cryptographic Signature',
  'CWE-367': 'Time-of-check Time-of-use (TOCTOU) Race Condition',
  'CWE-400': 'Uncontrolled Resource Consumption',
  'CWE-436': 'Interpretation Conflict',
  'CWE-441': "Unintended Proxy or Intermediary ('Confused Deputy')",
  'CWE-601': "URL Redirection to Untrusted Site ('Open Redirect')",
  'CWE-674': 'Uncontrolled Recursion',
  'CWE-681': 'Incorrect Conversion between Numeric Types',
  'CWE-694': 'Use of Multiple Resources with Duplicate Identifier',
  'CWE-770': 'Allocation of Resources Without Limits or Throttling',
  'CWE-835': "Loop with Unreachable Exit Condition ('Infinite Loop')",
  'CWE-863': 'Incorrect Authorization',
  'CWE-918': 'Server-Side Request Forgery (SSRF)',
  'CWE-1007': 'Insufficient Visual Distinction of Homoglyphs Presented to User',
};

/** The catalogue that an id of the registry belongs to. */
export const taxonomyOf = (technique: string): Taxonomy =>
  technique.startsWith('AML.') ? 'ATLAS' : technique.startsWith('CWE-') ? 'CWE' : 'OWASP-ASI';

/** The page of a technique; OWASP has one for all. */
export const techniqueUrl = (technique: string): string => {
  const { home } = TAXONOMIES[taxonomyOf(technique)];
  if (technique.startsWith('AML.')) return `${home}techniques/${technique}`;
  return technique.startsWith('CWE-') ? `${home}data/definitions/${technique.slice(4)}.html` : home;
};
