'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { type ConsolePaths, consolePaths } from './console-paths.ts'

/** Where each page of the console is in this application. Null for one that it has left out. */
export type ConsolePlaces = { readonly [page in keyof ConsolePaths]: string | null }

const ConsoleContext = createContext<ConsolePlaces>(consolePaths)

interface Props {
  places: ConsolePlaces
  children: ReactNode
}

export function ConsolePlacesProvider({ places, children }: Props) {
  return <ConsoleContext value={places}>{children}</ConsoleContext>
}

/** For links from a page of the console to another one, as `ConsoleLayout` was told where they are. */
export function useConsolePlaces(): ConsolePlaces {
  return useContext(ConsoleContext)
}
