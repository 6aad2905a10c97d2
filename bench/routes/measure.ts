import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Running, startChild } from '../harness/child.ts'
import { type Sample, takeSample } from '../harness/sample.ts'
import { bodyOf, type Variant } from './variants.ts'
import { requestHeaders } from './workload.ts'

export interface Row {
  variant: Variant
  method: 'GET' | 'POST'
  samples: Sample[]
}

interface Load {
  millis: number
  connections: number
}

export interface Plan extends Load {
  rounds: number
  /** Of the round before those that count. 0 means none. */
  warmupMillis: number
}

export interface Skipped {
  variant: Variant
  reason: string
}

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Elysia calls back before its port is open. */
async function open(running: Running) {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(running.url).catch(() => null)
    await answer?.text()
    if (answer) return
    await sleep(50)
  }
  throw new Error('never answers')
}

async function ask(running: Running, variant: Variant, accepted: boolean) {
  return await fetch(running.url + variant.post, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...requestHeaders },
    body: bodyOf(variant, accepted),
  })
}

/**
 * It makes no sense to time a server with wrong answers: it must accept valid input and refuse
 * other input.
 */
async function checkAnswers(running: Running, variant: Variant) {
  const good = await ask(running, variant, true)
  const text = await good.text()
  if (!good.ok || !/"ok":true/.test(text)) throw new Error(`answers ${good.status} ${text}`)
  if (variant.validates) {
    const bad = await ask(running, variant, false)
    if (bad.status < 400 || bad.status >= 500) throw new Error(`accepts an invalid body`)
  }
  if (variant.get === undefined) return
  const got = await fetch(running.url + variant.get, { headers: requestHeaders })
  const user: unknown = await got.json()
  if (JSON.stringify(user) !== '{"id":"42","ok":true}') throw new Error('wrong GET answer')
}

async function sample({ method, variant }: Row, running: Running, plan: Load) {
  const measured = await takeSample(running, {
    method,
    path: method === 'POST' ? variant.post : (variant.get ?? '/'),
    headers: requestHeaders,
    ...(method === 'POST' ? { body: bodyOf(variant) } : {}),
    ...plan,
  })
  if (measured.firstFailure !== undefined) {
    console.error(`${variant.name}: ${measured.firstFailure}`)
  }
  return measured
}

/** Starts every server, then loads one at a time, round after round, each second round in reverse order. */
export async function measure(variants: Variant[], plan: Plan) {
  const servers = new Map<string, Running>()
  const skipped: Skipped[] = []
  const rows: Row[] = []
  try {
    for (const variant of variants) {
      try {
        const running = await startChild(path(`./${variant.name}.ts`))
        servers.set(variant.name, running)
        await open(running)
        await checkAnswers(running, variant)
        rows.push({ variant, method: 'POST', samples: [] })
        if (variant.get !== undefined) rows.push({ variant, method: 'GET', samples: [] })
      } catch (error) {
        skipped.push({ variant, reason: error instanceof Error ? error.message : String(error) })
      }
    }
    for (let round = plan.warmupMillis > 0 ? -1 : 0; round < plan.rounds; round++) {
      for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
        const running = servers.get(row.variant.name)
        if (!running) continue
        const millis = round < 0 ? plan.warmupMillis : plan.millis
        const { connections } = plan
        const measured = await sample(row, running, { millis, connections })
        if (round >= 0) row.samples.push(measured)
      }
      console.error(round < 0 ? 'warm' : `round ${round + 1} of ${plan.rounds}`)
    }
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()))
  }
  return { rows, skipped }
}
