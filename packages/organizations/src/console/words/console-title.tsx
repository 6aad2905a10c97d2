'use client'

import { useConsoleSay } from './use-console-say.ts'

/** On the tab of the console. */
export function ConsoleTitle() {
  const say = useConsoleSay()
  return say('Organizations')
}
