/** The candidate with the fewest edits from the word; null if none is near enough to be meant. */
export function nearest(word: string, candidates: readonly string[]) {
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: editsBetween(word, candidate) }))
    .filter(({ candidate, edits }) => edits <= Math.max(1, Math.floor(candidate.length / 3)))
    .toSorted((a, b) => a.edits - b.edits)
  return best?.candidate ?? null
}

/** Insertions, deletions, replacements and swaps of neighbours, each one edit. */
function editsBetween(from: string, to: string) {
  let before: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Infinity
      row.push(Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped))
    }
    before = previous
    previous = row
  }
  return previous.at(-1) ?? 0
}
