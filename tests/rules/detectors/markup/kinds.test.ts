import { describe, expect, it } from 'vitest';
import { detectActiveContent } from '../../../../src/rules/detectors/markup/detect.ts';

const judge = (text: string, type: string, artifactHost: string | null = null) =>
  detectActiveContent(new TextEncoder().encode(text), type, { artifactHost });
const kinds = (text: string, type: string) => judge(text, type).indicators.map(({ kind }) => kind);
const SVG = 'image/svg+xml';
const HTML = 'text/html';
const MD = 'text/markdown';

describe('one indicator of each kind', () => {
  it.each([
    [HTML, '<script src=a.js></script>', 'script'],
    [HTML, '<object></object>', 'object'],
    [HTML, '<embed>', 'embed'],
    [HTML, '<base href=/>', 'base'],
    [HTML, '<meta HTTP-EQUIV=Refresh content=0>', 'meta-refresh'],
    [HTML, '<p srcdoc=x>', 'srcdoc'],
    [HTML, '<frameset><frame src=a>', 'frame'],
    [HTML, '<frameset onload=a>', 'event-handler'],
    [HTML, '<td onclick=a>', 'event-handler'],
    [HTML, '<col><img src=x onerror=a>', 'event-handler'],
    [HTML, '<p>a<body onload=a>', 'event-handler'],
    [HTML, '<template><b onclick=a></template>', 'event-handler'],
    [HTML, '<select><option><svg><script>a</script></select>', 'script'],
    [HTML, '<select><style></select><img src=x onerror=a></style>', 'event-handler'],
    [HTML, '<table><tr><td><select><b onclick=a>', 'event-handler'],
    [HTML, '<form action=\x01javascript:a>', 'javascript-url'],
    [HTML, '<svg><a xlink:href=JavaScript:a>', 'javascript-url'],
    [HTML, '<math href=javascript:a>', 'javascript-url'],
    [HTML, '<svg><animate attributeName=href values="#;javascript:a">', 'javascript-url'],
    [HTML, '<svg><set attributeName=onclick to=a>', 'animated-handler'],
    [HTML, '<a href="data:,x">', 'data-url'],
    [HTML, '<a href="data:image/png/x,x">', 'data-url'],
    [HTML, '<svg><feImage href="data:image/svg+xml,x">', 'data-url'],
    [SVG, '<x:script xmlns:x="urn:x"/>', 'script'],
    [SVG, '<svg><foreignObject/></svg>', 'foreign-object'],
    [SVG, '<svg xmlns:l="http://www.w3.org/1999/xlink"><a l:href="java&#x73;cript:a"/></svg>', 'javascript-url'],
    [SVG, '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;', 'internal-dtd-subset'],
    [SVG, '<?xml-stylesheet href="a.css"?><svg/>', 'xml-stylesheet'],
    ['application/xhtml+xml', '<p xmlns="http://www.w3.org/1999/xhtml" onclick="a"/>', 'event-handler'],
    ['application/atom+xml', '<feed><script><![CDATA[a]]></script></feed>', 'script'],
    [MD, '<javascript:a>', 'javascript-url'],
    [MD, '[x](<javascript:a> "t")', 'javascript-url'],
    [MD, '> - ![x](javascript:a)', 'javascript-url'],
    [MD, '[unused]: javascript:a', 'javascript-url'],
    [MD, '[x][r]\n\n[r]: data:image/svg+xml,x', 'data-url'],
    [MD, 'a **b <img src=x onerror=a>**', 'event-handler'],
    [MD, '<svg>\n\n<a xlink:href="javascript:a">x</a>', 'javascript-url'],
  ])('%s %s: %s', (type, text, kind) => {
    expect(kinds(text, type)).toContain(kind);
    expect(judge(text, type).verdict).toBe('active');
  });
});

describe('what looks active and is not', () => {
  it.each([
    [HTML, '<a xlink:href="javascript:a">x</a>'],
    [HTML, '<a href="java script:a">x</a>'],
    [HTML, '<a href="#javascript:a" title="javascript:a">x</a>'],
    [HTML, '<p data-onclick=a onclick-x=b>'],
    [HTML, '<img src="data:image/svg+xml,x"><video poster="data:image/svg+xml,x" src="data:video/mp4,x">'],
    [HTML, '&lt;script&gt;<!-- <script> -->'],
    [HTML, '<meta name=refresh content="0;url=javascript:a">'],
    [SVG, '<svg><SCRIPT/><a xmlns:l="urn:x" l:href="javascript:a" l:onclick="a"/></svg>'],
    [SVG, '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG[" "a.dtd"><svg/>'],
    [SVG, '<svg><style>a{}<![CDATA[<script>]]></style></svg>'],
    [MD, '~~~\n<script>\n~~~'],
    [MD, '[x](\\javascript:a) http://javascript:a'],
    [MD, '![x][r]\n\n[r]: data:image/svg+xml,x'],
    [MD, '<div>\n\n*x*\n\n</div>'],
    ['text/plain', '<script>a</script>'],
    ['audio/mpeg', '<script>a</script>'],
  ])('%s %s', (type, text) => {
    expect(judge(text, type)).toMatchObject({ verdict: 'inert', indicators: [], reason: null });
  });
});

describe('what cannot be judged is named', () => {
  it.each([
    ['application/zip', 'x', 'application/zip'],
    ['image/emf', 'x', 'image/emf'],
    ['html', 'x', 'not a media type'],
    ['text/html;charset=utf-7', '+ADw-script+AD4-', 'utf-7'],
    [HTML, '<meta charset=iso-2022-jp>', 'iso-2022-jp'],
    ['text/xml', '<?xml version="1.0" encoding="utf-7"?><a/>', 'utf-7'],
    [SVG, '<svg><g></svg>', 'not well-formed'],
    [SVG, '<svg>&nbsp;</svg>', 'not well-formed'],
    [SVG, '', 'not well-formed'],
    [MD, '<div title="\n\nx', 'ends inside'],
    [MD, '<!-- open', 'ends inside'],
    [MD, '<? open', 'ends inside'],
    [MD, 'a <textarea>x</textarea>', 'ends inside'],
    [MD, 'a <plaintext> b', 'ends inside'],
  ])('%s %s: %s', (type, text, reason) => {
    const { verdict, reason: given } = judge(text, type);
    expect(verdict).toBe('inconclusive');
    expect(given).toContain(reason);
  });
  it('a handler before the error of broken XML is a note', () => {
    expect(judge('<svg onload="a"><g></svg>', SVG).notes).toEqual([
      { kind: 'before-error:event-handler', where: '1:6 svg@onload', value: 'a' },
    ]);
  });
});

describe('observations', () => {
  it.each([
    ['<noscript><img src=x onerror=a></noscript>', 'scripting-off:event-handler'],
    ['<noscript><img src=//evil.example/p></noscript>', 'scripting-off:remote-load'],
    ['<form><math><mtext></form><form><mglyph><style></math><img src onerror=a>', 'after-reparse:event-handler'],
    ['<p onfoo=a>', 'unknown-on-attribute'],
  ])('%s: %s', (text, kind) => {
    const { verdict, notes } = judge(text, HTML);
    expect(verdict).toBe('inert');
    expect(notes.map((note) => note.kind)).toContain(kind);
  });
});

describe('remote loads', () => {
  const urls = (text: string, type: string, host: string | null = null) =>
    judge(text, type, host).remoteLoads.map(({ url }) => url);
  it.each([
    [HTML, '<img srcset="a.png 1x, //evil.example/b 2x">', ['https://evil.example/b']],
    [HTML, '<img src="\\\\evil.example/b">', ['https://evil.example/b']],
    [HTML, '<p style="a:u\\72l( //evil.example/b )">', ['https://evil.example/b']],
    [HTML, '<table background=//evil.example/b>', ['https://evil.example/b']],
    [
      HTML,
      '<link rel="a ICON" href=//evil.example/b><link rel=canonical href=//c.example/>',
      ['https://evil.example/b'],
    ],
    [HTML, '<input type=image src=//evil.example/b><input src=//c.example/>', ['https://evil.example/b']],
    [HTML, '<a href=//evil.example/b ping=//evil.example/c>', []],
    [HTML, '<svg><use href="//evil.example/b"/><a href="//c.example/"/>', ['https://evil.example/b']],
    [
      HTML,
      '<style>@namespace url(//c.example/);a{b:image-set("//evil.example/b" 1x)}/*url(//c.example)*/</style>',
      ['https://evil.example/b'],
    ],
    [SVG, '<svg><style><![CDATA[a{b:url("//evil.example/b")}]]></style></svg>', ['https://evil.example/b']],
    [SVG, '<svg><rect fill="url(//evil.example/b#c)"/></svg>', ['https://evil.example/b#c']],
    [MD, '![x][r]\n\n[r]: https://evil.example/b\n[r]: https://c.example/', ['https://evil.example/b']],
    [MD, '[x](https://evil.example/b) ![y](/own.png)', []],
    [MD, '<img src="https://evil.example/b">', ['https://evil.example/b']],
  ])('%s %s', (type, text, expected) => {
    expect(urls(text, type)).toEqual(expected);
    expect(judge(text, type).verdict).toBe('inert');
  });
  it('compares with the artifact host, port included', () => {
    const text = '<img src=http://Own.example:8080/a><img src=http://own.example/b><img src=c>';
    expect(urls(text, HTML, 'own.example:8080')).toEqual(['http://own.example/b']);
  });
});

describe('reading', () => {
  const script = Array.from('<script>', (c) => c.charCodeAt(0));
  it.each([
    ['text/html', [0xff, 0xfe, ...script.flatMap((c) => [c, 0])]],
    ['text/html; charset=utf-8', [0xfe, 0xff, ...script.flatMap((c) => [0, c])]],
    ['TEXT/HTML ; a=";" ; CHARSET="Utf-16"', script.flatMap((c) => [c, 0])],
    ['text/html;charset=iso-8859-1', [0xe9, ...script]],
    ['text/html', [0xff, ...script]],
  ])('%s', (type, bytes) => {
    expect(detectActiveContent(Uint8Array.from(bytes), type).indicators[0]?.kind).toBe('script');
  });
  it('takes the marker of an experiment for content where markup is interpreted', () => {
    const bytes = new TextEncoder().encode('x MARK x');
    expect(detectActiveContent(bytes, HTML, { inertMarker: 'MARK' }).indicators).toEqual([
      { kind: 'inert-marker', where: '', value: 'MARK' },
    ]);
    expect(detectActiveContent(bytes, HTML, { inertMarker: 'mark' }).verdict).toBe('inert');
    expect(detectActiveContent(bytes, 'text/plain', { inertMarker: 'MARK' }).verdict).toBe('inert');
  });
});
