import { type CallExpression, type Expression, parseSync, Visitor } from 'oxc-parser'

export interface Citation {
  id: string
  path: string
  line: number
}

const tests = new Set(['it', 'test'])
const neverRuns = new Set(['skip', 'todo'])

/** The clauses that the titles of a file's tests cite: `it('refuses a second spend (R-003, R-004)')`. */
export function citedClauses(path: string, text: string): Citation[] {
  const citations: Citation[] = []
  const { program } = parseSync(path, text)
  new Visitor({
    CallExpression(call) {
      const line = text.slice(0, call.start).split('\n').length
      for (const id of idsIn(titleOf(call))) citations.push({ id, path, line })
    },
  }).visit(program)
  return citations
}

/** The title of `it('…')`, `it.each(…)('…')`, `it.skipIf(…)('…')`; empty for every other call. */
function titleOf({ callee, arguments: [title] }: CallExpression) {
  if (title === undefined || title.type === 'SpreadElement' || !isTestFunction(callee)) return ''
  return textOf(title)
}

function isTestFunction(callee: Expression): boolean {
  if (callee.type === 'Identifier') return tests.has(callee.name)
  if (callee.type === 'CallExpression') return isTestFunction(callee.callee)
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false
  return !neverRuns.has(callee.property.name) && isTestFunction(callee.object)
}

function textOf(title: Expression): string {
  if (title.type === 'Literal') return String(title.value)
  if (title.type === 'TemplateLiteral') return title.quasis.map(({ value }) => value.raw).join(' ')
  if (title.type !== 'BinaryExpression' || title.left.type === 'PrivateIdentifier') return ''
  return textOf(title.left) + textOf(title.right)
}

/** The clauses that a title cites. */
export function idsIn(title: string) {
  // P-256 is a curve.
  return title.match(/\b(?!P-256)[A-Z]-\d{3}\b/g) ?? []
}
