import { AsyncLocalStorage } from 'node:async_hooks'
import { currentTransaction, type Settings, settingsOf } from './transaction.ts'

const ambient = new AsyncLocalStorage<Settings | undefined>()

/** Runs a function as a part of what has these settings: its jobs get them too. */
export function underSettings<Given, Result>(
  settings: Settings | undefined,
  run: (given: Given) => Result,
  given: Given,
): Result {
  return ambient.run(settings, run, given)
}

/** The settings of the open transaction, or else those of the request or job that this code belongs to. */
export function currentSettings(): Settings | undefined {
  const tx = currentTransaction()
  return (tx && settingsOf(tx)) ?? ambient.getStore()
}
