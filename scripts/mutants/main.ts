import { parseArgs } from 'node:util'
import { mutations } from './list.ts'
import type { Mutation } from './mutation.ts'
import { type Outcome, runMutant } from './run-mutant.ts'

const help = `npm run test:mutants -- [--only <number or name>]

Takes one guard after another out of packages/auth, packages/mcp, packages/organizations and the streams of packages/core, each for one run of
the test that must notice it, and prints which were caught. No file is changed. Exits with 1 if fewer than 90 % were, or if a run broke.

  --only <which>   this one alone: its number, or part of its name
  --list           names them, and runs none
  --at-once <n>    how many runs there are at a time; usually 2, as most of a race is waiting
`

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    list: { type: 'boolean' },
    'at-once': { type: 'string', default: '2' },
    help: { type: 'boolean', short: 'h' },
  },
})

const numbered = mutations.map((mutation, index) => ({ mutation, number: index + 1 }))
const isWanted = ({ mutation, number }: { mutation: Mutation; number: number }) =>
  values.only === undefined || String(number) === values.only || mutation.name.includes(values.only)
const wanted = numbered.filter(isWanted)
const inTable = (...cells: [string | number, string, string, string]) => {
  const [number, outcome, seconds, name] = cells
  console.log(`${String(number).padStart(3)}  ${outcome.padEnd(8)} ${seconds.padStart(6)}  ${name}`)
}

if (values.help) console.log(help)
else if (values.list)
  for (const { mutation, number } of wanted) inTable(number, '', '', mutation.name)
else process.exitCode = await runAll()

async function runAll() {
  const outcomes: Outcome[] = []
  const beganAt = performance.now()
  const waiting = wanted.values()
  const lane = async () => {
    for (const { mutation, number } of waiting) outcomes.push(await runOne(mutation, number))
  }
  await Promise.all(Array.from({ length: Number(values['at-once']) }, lane))
  const caught = outcomes.filter((outcome) => outcome === 'caught').length
  console.log(`${caught} of ${outcomes.length} caught, in ${secondsSince(beganAt)}`)
  const isEnough = outcomes.length > 0 && caught / outcomes.length >= 0.9
  return isEnough && !outcomes.includes('broken') ? 0 : 1
}

async function runOne(mutation: Mutation, number: number) {
  const startedAt = performance.now()
  const outcome = await runMutant(mutation)
  const where = outcome === 'caught' ? '' : `  (${mutation.file}, ${mutation.test})`
  inTable(number, outcome, secondsSince(startedAt), mutation.name + where)
  return outcome
}

function secondsSince(moment: number) {
  return `${((performance.now() - moment) / 1000).toFixed(1)} s`
}
