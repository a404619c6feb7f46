/** parse5 with a bound on its work, and a variant that keeps the children of `select` as browsers do since 2025. */
import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html,
  InsertionMode,
  Parser,
  type Token,
} from 'parse5';
import { BoundExceeded, MAX_ATTRIBUTE_TEXT, MAX_DEPTH, MAX_TREE_WORK } from './bounds.ts';

export type HtmlContext = 'document' | 'div' | 'template';
export type HtmlWay = {
  /** A document, or the element whose `innerHTML` the markup becomes. */
  readonly context: HtmlContext;
  readonly scripting: boolean;
  /** Whether `select` keeps all its children, as HTML says since 2025, or drops most, as before. */
  readonly keepSelect: boolean;
  /** Whether elements carry their line and column. */
  readonly located: boolean;
};
export type HtmlParse = {
  /** The document, or the root element that a fragment parse hangs its nodes under; as far as the parser came. */
  readonly root: DefaultTreeAdapterTypes.ParentNode;
  /** The bound that was passed, or null. */
  readonly exceeded: string | null;
};

const { TAG_ID } = html;

class BoundedParser extends Parser<DefaultTreeAdapterMap> {
  tooDeep = false;
  override onItemPush(node: DefaultTreeAdapterTypes.ParentNode, tagId: number, isTop: boolean): void {
    super.onItemPush(node, tagId, isTop);
    if (this.openElements.depth > MAX_DEPTH) this.tooDeep = true;
  }
}

const isSelectMode = (mode: InsertionMode): boolean =>
  mode === InsertionMode.IN_SELECT || mode === InsertionMode.IN_SELECT_IN_TABLE;

/** The insertion mode that an open element chooses once `select` chooses none (HTML 13.2.4.1). */
const MODE_OF: ReadonlyMap<number, InsertionMode> = new Map([
  [TAG_ID.TD, InsertionMode.IN_CELL],
  [TAG_ID.TH, InsertionMode.IN_CELL],
  [TAG_ID.TR, InsertionMode.IN_ROW],
  [TAG_ID.TBODY, InsertionMode.IN_TABLE_BODY],
  [TAG_ID.THEAD, InsertionMode.IN_TABLE_BODY],
  [TAG_ID.TFOOT, InsertionMode.IN_TABLE_BODY],
  [TAG_ID.CAPTION, InsertionMode.IN_CAPTION],
  [TAG_ID.TABLE, InsertionMode.IN_TABLE],
  [TAG_ID.BODY, InsertionMode.IN_BODY],
  [TAG_ID.TEMPLATE, InsertionMode.IN_BODY],
]);

class SelectKeepingParser extends BoundedParser {
  override _processStartTag(token: Token.TagToken): void {
    const before = this.insertionMode;
    const closesSelect = token.tagID === TAG_ID.SELECT || token.tagID === TAG_ID.INPUT;
    if (closesSelect && !this.currentNotInHTML && this.openElements.hasInScope(TAG_ID.SELECT)) {
      this.openElements.popUntilTagNamePopped(TAG_ID.SELECT);
      if (token.tagID === TAG_ID.SELECT) return;
    }
    super._processStartTag(token);
    if (isSelectMode(this.insertionMode)) {
      this.insertionMode = [...MODE_OF.values()].includes(before) ? before : InsertionMode.IN_BODY;
    }
  }

  override onEndTag(token: Token.TagToken): void {
    if (token.tagID === TAG_ID.SELECT && !this.currentNotInHTML && this.openElements.hasInScope(TAG_ID.SELECT)) {
      this.openElements.popUntilTagNamePopped(TAG_ID.SELECT);
      return;
    }
    super.onEndTag(token);
  }

  override _resetInsertionModeForSelect(selectSlot: number): void {
    this.insertionMode = InsertionMode.IN_BODY;
    for (let slot = this.openElements.slotBelow(selectSlot); slot > 0; slot = this.openElements.slotBelow(slot)) {
      const mode = MODE_OF.get(this.openElements.tagIDs[slot] ?? TAG_ID.UNKNOWN);
      if (mode === undefined) continue;
      this.insertionMode = mode;
      return;
    }
  }
}

const boundedAdapter = (): typeof defaultTreeAdapter => {
  let work = 0;
  let attributeText = 0;
  const step = () => {
    if (++work > MAX_TREE_WORK) throw new BoundExceeded(`HTML tree of more than ${MAX_TREE_WORK} nodes`);
  };
  return {
    ...defaultTreeAdapter,
    createElement: (name, namespace, attributes) => {
      step();
      for (const attribute of attributes) attributeText += attribute.name.length + attribute.value.length;
      if (attributeText > MAX_ATTRIBUTE_TEXT) {
        throw new BoundExceeded(`HTML tree with more than ${MAX_ATTRIBUTE_TEXT} characters of attributes`);
      }
      return defaultTreeAdapter.createElement(name, namespace, attributes);
    },
    appendChild: (...given) => {
      step();
      defaultTreeAdapter.appendChild(...given);
    },
  };
};

/** Parses markup as a browser would put it together; a bound passed is told in the result. */
export const parseHtml = (text: string, { context, scripting, keepSelect, located }: HtmlWay): HtmlParse => {
  const treeAdapter = boundedAdapter();
  const options = { scriptingEnabled: scripting, sourceCodeLocationInfo: located, treeAdapter };
  const Chosen = keepSelect ? SelectKeepingParser : BoundedParser;
  const parser =
    context === 'document'
      ? new Chosen(options)
      : (Chosen.getFragmentParser(
          defaultTreeAdapter.createElement(context, html.NS.HTML, []),
          options,
        ) as BoundedParser);
  try {
    parser.tokenizer.write(text, true);
  } catch (error) {
    if (!(error instanceof BoundExceeded)) throw error;
    return { root: parser.document, exceeded: error.message };
  }
  // A fragment parser hangs everything under a root element of its own (HTML 13.4).
  const root =
    context === 'document' ? parser.document : (parser.document.childNodes[0] as DefaultTreeAdapterTypes.Element);
  return { root, exceeded: parser.tooDeep ? `HTML nested deeper than ${MAX_DEPTH}` : null };
};

/** Every element below the root in document order, template contents included; iterative, for any depth. */
export function* elementsOf(root: DefaultTreeAdapterTypes.ParentNode): Generator<DefaultTreeAdapterTypes.Element> {
  const waiting: DefaultTreeAdapterTypes.ParentNode[] = [root];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    if ('content' in parent) waiting.push(parent.content);
    for (let at = parent.childNodes.length - 1; at >= 0; at--) {
      const child = parent.childNodes[at]!;
      if ('tagName' in child) waiting.push(child);
    }
    if ('tagName' in parent) yield parent;
  }
}
