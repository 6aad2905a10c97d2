import { describe, expect, it } from 'vitest'
import { auc, bootstrap, telling } from './auc.ts'

const noise = (count: number, more = 0) => Array.from({ length: count }, () => Math.random() + more)

describe('the classifier', () => {
  it('counts how often one is longer than the other, and half of what is alike', () => {
    expect(auc([1, 2, 3], [4, 5])).toBe(0)
    expect(auc([4, 5], [1, 2, 3])).toBe(1)
    expect(auc([1, 1], [1, 1])).toBe(0.5)
    expect(auc([1, 2], [2, 3])).toBe(0.125)
    expect(telling(0.125)).toBe(0.875)
  })

  it('tells nothing from the same distribution, and what is a fifth longer', () => {
    expect(telling(auc(noise(4000), noise(4000)))).toBeLessThan(0.55)
    expect(telling(auc(noise(4000, 0.2), noise(4000)))).toBeGreaterThan(0.6)
  })

  it('says how sure it is', () => {
    const [first, second] = [noise(300, 0.2), noise(300)]
    const { from, to } = bootstrap(first, second)
    expect(from).toBeLessThan(auc(first, second))
    expect(to).toBeGreaterThan(auc(first, second))
    expect(to - from).toBeLessThan(0.15)
  })
})
