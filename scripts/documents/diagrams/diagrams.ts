import { join, resolve } from 'node:path'
import { drawSequence } from './draw-sequence.ts'
import { flows } from './flows.ts'

const folder = resolve(import.meta.dirname, '..', '..', '..', 'docs', 'diagrams')

/** The pictures of the guides that are drawn from text. */
export const diagrams = Object.entries(flows).map(([name, flow]) => ({
  name,
  title: flow.title,
  path: join(folder, `${name}.svg`),
  text: drawSequence(flow),
}))
