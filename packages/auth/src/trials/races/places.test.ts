import { setTimeout as wait } from 'node:timers/promises'
import { placeHeader, type ServiceUnavailableError } from '@svc/core'
import type { TestServer } from '@svc/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { createPasswordHasher } from '../../passwords/passwords.ts'
import { changeService } from '../../running/test-change-held.ts'
import { createTestKey, type TestAnswer } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const { operation, race, instances, ...auth } = await startRace()
afterAll(() => auth.stop())

// Of another key: refused as soon as its turn comes, before anything is hashed. 400 says that the turn has come.
const { registration } = await createTestKey()
const { fingerprint } = (await createTestKey()).registration
const body = { email: 'ada@example.com', password: 'a password', ...registration, fingerprint }
const log = { error: () => {} }

const login = (place?: string) => async (at: TestServer) => {
  const request = await operation('login', body)(at)
  return { ...request, headers: { ...request.headers, ...(place && { [placeHeader]: place }) } }
}

const placesOf = (answers: readonly TestAnswer[]) => answers.map(({ body: { place } }) => place)

/** Gives an instance a line in which there is one place to wait left, and one that is kept. */
async function fill(at: TestServer) {
  // At 16 rounds a turn is 1.4 seconds, as long as none was measured: four may wait.
  const passwords = createPasswordHasher({ rounds: 16, workers: 1, waitMillis: 8000, log })
  let refused = 0
  const counting: typeof passwords.withPlace = (asker, run) =>
    passwords.withPlace(asker, run).catch((error: unknown) => {
      refused += 1
      throw error
    })
  changeService(at.infrastructure, { passwords: { ...passwords, withPlace: counting } })
  const served: (() => void)[] = []
  const come = (address: string) =>
    passwords.withPlace({ address }, () => new Promise<void>((resolve) => served.push(resolve)))
  const held = times(passwords.turns + 4, (index) => come(`192.0.2.${index}`))
  const refusal = await come('192.0.2.99').catch((error: ServiceUnavailableError) => error)
  served.shift()?.()
  await held[0]
  const taken = passwords.placesTaken

  /** Ends every turn, until all have had one. */
  async function release() {
    while (served.length > 0) {
      for (const end of served.splice(0)) end()
      await wait(0)
    }
    await Promise.all(held)
  }
  return {
    passwords,
    release,
    place: refusal?.place ?? '',
    waiting: () => passwords.placesTaken - taken,
    refused: () => refused,
  }
}

/** Lets sixteen come, with a place or without, and then serves all who wait. */
async function raceForPlaces(place: (kept: string) => string | undefined) {
  const filled = await Promise.all(instances.map(fill))
  const kept = filled[0]?.place ?? ''
  const racing = race(times(clients, () => login(place(kept))))
  const come = () => filled.map((each) => each.waiting() + each.refused())
  await expect.poll(() => Math.max(...come()) + Math.min(...come())).toBe(clients)
  const waiting = filled.map((each) => each.waiting())
  for (const { release } of filled) await release()
  const answers = await racing
  for (const { passwords } of filled) {
    expect(passwords.placesTaken).toBe(0)
    await passwords.close()
  }
  return { waiting, kept, served: withStatus(answers, 400), refused: withStatus(answers, 503) }
}

describe('a place that is kept', () => {
  it('R41: is that of one of sixteen who bring its ticket, and the others keep places of their own', () =>
    eachRound(async () => {
      // It is of the first instance: at the second it is as good as none.
      const { waiting, kept, served, refused } = await raceForPlaces((place) => place)

      expect(waiting).toEqual([1, 0])
      expect(served).toHaveLength(1)
      expect(refused).toHaveLength(clients - 1)
      expect(new Set([...placesOf(refused), kept]).size).toBe(clients)
    }))
})

describe('the last place to wait', () => {
  it('is kept for the caller who was told so, in each order', () =>
    eachRound(async () => {
      const { waiting, refused } = await raceForPlaces(() => undefined)

      expect(waiting).toEqual([0, 0])
      expect(new Set(placesOf(refused)).size).toBe(clients)
    }))
})
