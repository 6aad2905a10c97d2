import type { MetricsPart } from './messages.ts'

interface Family {
  readonly about: string[]
  readonly samples: string[]
}

/**
 * The metrics of all processes in one text, with a label for each process. They are not added up:
 * the counters of a new process begin at 0, and only separate ones show that correctly.
 */
export function joinMetrics(parts: readonly MetricsPart[]) {
  const families = new Map<string, Family>()
  for (const { place, text } of parts) addPart(families, `process="${place}"`, text)
  return [...families.values()]
    .map(({ about, samples }) => [...about, ...samples, ''].join('\n'))
    .join('')
}

function addPart(families: Map<string, Family>, label: string, text: string) {
  let family: Family | undefined
  let isFirst = true
  for (const line of text.split('\n')) {
    const [, kind, name] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? []
    if (name !== undefined) {
      if (kind === 'HELP') isFirst = !families.has(name)
      family = families.get(name) ?? { about: [], samples: [] }
      families.set(name, family)
      if (isFirst) family.about.push(line)
    } else if (line !== '') family?.samples.push(labelled(line, label))
  }
}

/** A sample is `name value` or `name{labels} value`. */
const labelled = (sample: string, label: string) =>
  /^[\w:]+\{/.test(sample)
    ? sample.replace('{', () => `{${label},`)
    : sample.replace(' ', () => `{${label}} `)
