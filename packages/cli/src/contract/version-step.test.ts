import { expect, it } from 'vitest'
import { nextBreaking, versionStep } from './version-step.ts'

it.each([
  ['0.13.0', '0.13.0', 'same'],
  ['0.13.0', '0.13.1', 'same'],
  ['0.13.0', '0.14.0', 'stepped'],
  ['0.13.4', '0.14.0', 'stepped'],
  ['0.13.0', '1.0.0', 'stepped'],
  ['0.9.0', '0.10.0', 'stepped'],
  ['1.2.0', '1.3.0', 'same'],
  ['1.2.0', '2.0.0', 'stepped'],
  ['0.13.0', '0.12.9', 'back'],
  ['1.2.3', '1.2.2', 'back'],
  ['2.0.0', '1.9.9', 'back'],
])('from %s to %s the version has: %s', (before, now, step) => {
  expect(versionStep(before, now)).toBe(step)
})

it('names the next version that may break clients', () => {
  expect([nextBreaking('0.13.2'), nextBreaking('1.2.3')]).toEqual(['0.14.0', '2.0.0'])
})

it('reads no other versions', () => {
  expect(() => versionStep('0.13', '0.14.0')).toThrow('"0.13" is not a version of a contract')
})
