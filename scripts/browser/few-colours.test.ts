import { expect, it } from 'vitest'
import { fewColours } from './few-colours.ts'

const [paper, ink, shade, paleShade, danger] = [0xffffff, 0x000000, 0x808080, 0xc0c0c0, 0x0000ff]

it('keeps plain colours as they are, also where they are rare', () => {
  const counts = new Map([
    [paper, 100_000],
    [shade, 900],
    [ink, 1000],
    [paleShade, 40],
    [danger, 60],
  ])
  const shown = fewColours(counts, 4)
  for (const colour of [paper, ink, danger]) expect(shown.get(colour)).toBe(colour)
  expect(new Set(shown.values()).size).toBe(4)
})

it('shows the nearest colour in place of one that it leaves out', () => {
  const counts = new Map([
    [paper, 1000],
    [ink, 500],
    [0x010101, 1],
  ])
  expect([...fewColours(counts, 2).values()]).toEqual([paper, ink, ink])
})

it('changes nothing where there are few', () => {
  const counts = new Map([
    [paper, 2],
    [ink, 1],
  ])
  expect([...fewColours(counts, 32)]).toEqual([
    [paper, paper],
    [ink, ink],
  ])
})
