import { expect, vi } from 'vitest'
import type { Cache } from './cache.ts'

export const minute = 60_000

export const lines: { msg: string }[] = []

/** How often it was said that all is lost, and how often that the latest may be. */
export const losses = () =>
  [
    /lost its contents: limits and counters began again from zero/,
    /latest entries may be missing/,
  ].map((said) => lines.filter(({ msg }) => said.test(msg)).length)

/** When the cache says that it was born. */
export const bornAt = async (cache: Cache) =>
  (
    await cache.spend(`probe:${Math.random()}`, {
      sinceMillis: Date.now() + minute,
      ttlMillis: minute,
    })
  ).bornAtMillis

/** Spends an id that can only have been spent from now on. Returns whether it is accepted again after `lose`. */
export async function spentBefore(cache: Cache, lose: () => Promise<unknown>) {
  const once = { sinceMillis: Date.now(), ttlMillis: minute }
  await new Promise((resolve) => setTimeout(resolve, 5))
  const key = 'spent before'
  // Born with the cache, so that only a loss makes it unknown.
  while ((await bornAt(cache)) >= once.sinceMillis) once.sinceMillis = Date.now()
  expect(await cache.spend(key, once)).toMatchObject({ outcome: 'first' })
  expect(await cache.spend(key, once)).toMatchObject({ outcome: 'again' })
  await lose()
  const back = () => cache.spend(key, once)
  return vi.waitFor(async () => (await back()).outcome, 8000)
}
