import { cpus, totalmem } from 'node:os'

export interface Machine {
  cpu: string
  cores: number
  memoryGiB: number
  node: string
  date: string
}

export function thisMachine(): Machine {
  const cores = cpus()
  return {
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    date: new Date().toISOString().slice(0, 10),
  }
}
