// Where nothing is to be had: no provider is there, and nobody has what it would take.
const hopeless = [
  'nothing',
  'socket',
  'unlinkNotify',
  'unlinkNotifyByQuery',
  'unlinkSocialAccount',
  'getGoogleOAuthUrl',
  'mfaVerifyOptions',
]
// So often an operation must have been asked before it says something that none was done.
const enough = 120

/** How often each operation was answered how. */
export function createAnswerCounts() {
  const rows = new Map<string, number[]>()
  const doneOf = (row: number[]) => (row[2] ?? 0) + (row[3] ?? 0)
  const totalOf = (row: number[]) => row.reduce((sum, each) => sum + (each ?? 0), 0)

  return {
    count(name: string, status: number) {
      const row = rows.get(name) ?? Array.from({ length: 6 }, () => 0)
      const column = Math.floor(status / 100)
      row[column] = (row[column] ?? 0) + 1
      rows.set(name, row)
    },

    /** Of all that were done, and not refused: a test that is only refused tests little. */
    share() {
      const all = [...rows.values()]
      const done = all.reduce((sum, row) => sum + doneOf(row), 0)
      return done / all.reduce((sum, row) => sum + totalOf(row), 0)
    },

    neverDone: () =>
      [...rows]
        .filter(([, row]) => totalOf(row) >= enough && doneOf(row) === 0)
        .map(([name]) => name)
        .filter((name) => !hopeless.includes(name)),

    text() {
      const line = (name: string, cells: readonly (string | number)[]) =>
        [name.padEnd(32), ...cells.map((cell) => String(cell).padStart(7))].join('')
      const sorted = [...rows].toSorted(([one], [other]) => one.localeCompare(other))
      const sums = [2, 3, 4, 5].map((at) =>
        sorted.reduce((sum, [, row]) => sum + (row[at] ?? 0), 0),
      )
      return [
        line('', ['2xx', '3xx', '4xx', '5xx']),
        ...sorted.map(([name, row]) => line(name, row.slice(2))),
        line('all', sums),
      ].join('\n')
    },
  }
}
