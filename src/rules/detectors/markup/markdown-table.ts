/** Tables of GitHub Flavored Markdown, which most renderers read and CommonMark does not know. */

const isDelimiterRow = (line: string): boolean =>
  line.includes('-') && (line.includes('|') || line.includes(':')) && /^[-|: \t\r]+$/.test(line);

/** Block quote markers and indentation, which are no part of a cell. */
const withoutMarkers = (line: string): string => {
  let start = 0;
  while (line[start] === '>' || line[start] === ' ' || line[start] === '\t') start++;
  return line.slice(start);
};

const cellsOf = (row: string): readonly string[] => {
  const cells: string[] = [];
  let start = 0;
  for (let at = 0; at <= row.length; at++) {
    if (row[at] === '\\') at++;
    else if (at === row.length || row[at] === '|') {
      cells.push(row.slice(start, at).replaceAll('\\|', '|').trim());
      start = at + 1;
    }
  }
  if (start < row.length) cells.push(row.slice(start));
  return cells.filter((cell) => cell !== '');
};

/**
 * The cells of the table in a paragraph (GFM 4.10): a row ends with its line and a cell at an unescaped pipe, also inside
 * what CommonMark reads as one code span or one attribute value. Takes the paragraph's source; empty where it is no table.
 */
export const tableCells = (paragraph: string): readonly string[] => {
  const lines = paragraph.split(/\r\n|\n|\r/).map(withoutMarkers);
  const delimiter = lines.findIndex((line, i) => i > 0 && isDelimiterRow(line));
  return delimiter === -1
    ? []
    : lines
        .toSpliced(delimiter, 1)
        .slice(delimiter - 1)
        .flatMap(cellsOf);
};
