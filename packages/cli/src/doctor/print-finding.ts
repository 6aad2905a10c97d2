import { paint } from '../terminal.ts'
import type { Explanation, Finding } from './finding.ts'

const marks = {
  right: ['✓', 'green'],
  doubtful: ['!', 'yellow'],
  wrong: ['✗', 'red'],
} as const

/**
 * Prints a mark and a title. Unless all is right, it also prints what was seen, why it matters and
 * what to do.
 */
export function printFinding(finding: Finding, { isExplained }: { isExplained: boolean }) {
  const [mark, colour] = marks[finding.mark]
  const title = harmless(finding.title)
  if (finding.mark === 'right') {
    console.log(`${paint(colour, mark)} ${title}`)
    if (finding.note) console.log(paint('dim', block(finding.note, '  ')))
    return
  }
  const rest = isExplained ? ' As above.' : `\n${explained(finding)}`
  console.log(`${paint(colour, mark)} ${paint('bold', title)}${rest}`)
}

function explained({ seen, why, fix }: Explanation) {
  const [first = '', ...others] = fix
  return [
    block(seen, '  Seen  '),
    block(why, '  Why   '),
    block(first, '  Do    '),
    ...others.map((line) => block(line, '        ')),
    '',
  ].join('\n')
}

const widest = 100

/**
 * A text with its label, in lines of the terminal's width. Lines for copying are not wrapped, and
 * in a pipe nothing is.
 */
function block(text: string, label: string) {
  const width = Math.min(process.stdout.columns ?? Infinity, widest) - label.length
  const isToCopy = text.startsWith('  ') || !process.stdout.isTTY
  const lines = isToCopy ? [text] : wrapped(text, width)
  const indent = ' '.repeat(label.length)
  return lines.map((line, at) => `${at === 0 ? label : indent}${harmless(line)}`).join('\n')
}

function wrapped(text: string, width: number) {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const isFitting = last !== undefined && last.length + 1 + word.length <= width
    if (isFitting) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Text from another host could move the cursor. */
function harmless(text: string) {
  return text.replace(/\p{Cc}/gu, '')
}
