import { encode } from 'uqr'

// Readers look for four light modules around a code (ISO/IEC 18004).
const quietModules = 4

/** A QR code as one path of an SVG whose viewBox is `0 0 size size`: a run of dark modules is a rectangle. */
export function qrPath(text: string) {
  const { size, data } = encode(text, { ecc: 'M', border: quietModules })
  const path = data
    .map((row, y) =>
      darkRuns(row)
        .map((run) => rectangle(run, y))
        .join(''),
    )
    .join('')
  return { size, path }
}

interface Run {
  x: number
  length: number
}

function darkRuns(row: boolean[]) {
  const runs: Run[] = []
  row.forEach((isDark, x) => {
    const last = runs.at(-1)
    if (isDark && last && last.x + last.length === x) last.length += 1
    else if (isDark) runs.push({ x, length: 1 })
  })
  return runs
}

function rectangle({ x, length }: Run, y: number) {
  return `M${x} ${y}h${length}v1h-${length}z`
}
