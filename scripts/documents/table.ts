export const code = (text: string) => `\`${text}\``
const row = (cells: string[]) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')

/** A table with all cells from the code. */
export function table(head: string[], rows: string[][]) {
  return [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n')
}

/**
 * A table whose rows begin with cells from the code and continue with text that people have
 * written. That text stays, and so does the order of the rows. New rows come last, without text.
 */
export function explainedTable(head: string[], { rows, written }: Explained) {
  const before = cellsOf(written)
  const places = before.map(([first]) => first)
  const placeOf = ([first]: string[]) =>
    places.includes(first) ? places.indexOf(first) : rows.length
  const whole = rows.map((cells) => {
    const known = before[places.indexOf(cells[0])] ?? []
    return head.map((_, column) => cells[column] ?? known[column] ?? '')
  })
  return table(
    head,
    whole.toSorted((one, other) => placeOf(one) - placeOf(other)),
  )
}

interface Explained {
  rows: string[][]
  written: string
}

/** The cells of every row that begins with code. */
export function cellsOf(text: string) {
  return (text.match(/^\| `.*\|$/gm) ?? []).map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  )
}
