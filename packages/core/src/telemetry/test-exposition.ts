/** A sample: its name, its labels as they are written, and its value. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const help = /^# HELP ([a-zA-Z_:][\w:]*) \S.*$/
const type = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary)$/
const sample =
  /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*",?)*)\})? (NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g

/** Reads the text format of Prometheus, version 0.0.4. Throws on a line that it does not allow. */
export function readExposition(text: string): Sample[] {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.')
  const types = new Map<string, string>()
  const seen = new Set<string>()
  const samples: Sample[] = []
  for (const line of text.split('\n')) {
    if (line === '' || help.test(line)) continue
    const [, typed, kind] = type.exec(line) ?? []
    if (typed && kind) {
      if (types.has(typed)) throw new Error(`${typed} comes twice.`)
      types.set(typed, kind)
      continue
    }
    const [, name, labels = '', value = ''] = sample.exec(line) ?? []
    if (!name) throw new Error(`Not understood: ${line}`)
    const base = name.replace(/_(?:bucket|sum|count)$/, '')
    if (!types.has(name) && types.get(base) !== 'histogram') throw new Error(`${name} has no type.`)
    const series = `${name}{${labels}}`
    if (seen.has(series)) throw new Error(`${series} comes twice.`)
    seen.add(series)
    const read = Object.fromEntries(
      [...labels.matchAll(label)].map(([, key, given]) => [key, given]),
    )
    samples.push({ name, labels: read, value: Number(value.replace('Inf', 'Infinity')) })
  }
  checkHistograms(samples)
  return samples
}

/** Buckets are cumulative, and the last of them counts everything. */
function checkHistograms(samples: readonly Sample[]) {
  const last = new Map<string, number>()
  const keyOf = (base: string, { le: _, ...labels }: Record<string, string>) =>
    base + JSON.stringify(labels)
  for (const { name, labels, value } of samples) {
    if (name.endsWith('_bucket')) {
      const key = keyOf(name.slice(0, -7), labels)
      if (value < (last.get(key) ?? 0)) throw new Error(`${key} is not cumulative.`)
      last.set(key, value)
    } else if (name.endsWith('_count')) {
      const counted = last.get(keyOf(name.slice(0, -6), labels))
      if (counted !== undefined && counted !== value) throw new Error(`${name} does not add up.`)
    }
  }
}
