export const code = (text: string) => `\`${text}\``
const row = (cells: string[]) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')

/** A table of which the code has every cell. */
export function table(head: string[], rows: string[][]) {
  return [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n')
}

/**
 * A table whose rows begin with what the code has, and go on with what people have written of it: that stays, and so does
 * their order. What is new comes last, with nothing said of it yet.
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
