import { createElement, Fragment, type ReactNode } from 'react'
import type { AccountSentence, AccountWords } from './account-words.ts'

/** The names in a sentence, of values and of elements: `{name}` and `<link>`. */
type NamesIn<Sentence extends string> =
  | (Sentence extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never)
  | (Sentence extends `${string}</${infer Name}>${infer Rest}` ? Name | NamesIn<Rest> : never)

type Node = ReactNode | ((text: ReactNode) => ReactNode)

/** Says a sentence of the pages in the words of the application. */
export interface Say {
  <Sentence extends AccountSentence>(
    sentence: Sentence,
    values?: { [name in NamesIn<Sentence>]: string | number },
  ): string
  /** The same with elements: the function of that name draws `<link>`. */
  nodes: <Sentence extends AccountSentence>(
    sentence: Sentence,
    nodes: { [name in NamesIn<Sentence>]: Node },
  ) => ReactNode
  /** For lists and numbers. */
  locale: string
  /** A locale whose English dates have the day first. */
  dateLocale: string
}

type Values = Record<string, string | number>
type Nodes = Record<string, Node>

/** A sentence without words of the application is shown in English. */
export function sayIn(words: AccountWords, locale: string): Say {
  const wordsFor = (sentence: AccountSentence) => words[sentence] ?? sentence
  const say = (sentence: AccountSentence, values: Values = {}) =>
    wordsFor(sentence).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))
  const nodes = (sentence: AccountSentence, given: Nodes) => drawn(wordsFor(sentence), given)
  const dateLocale = locale === 'en' ? 'en-GB' : locale
  return Object.assign(say, { nodes, locale, dateLocale })
}

export const english = sayIn({}, 'en')

function drawn(text: string, given: Nodes): ReactNode {
  const parts = text.split(/(<(\w+)>.*?<\/\2>|\{\w+\})/)
  // `split` also returns the match of the inner group, which is part of the outer one.
  const shown = parts.filter((_, at) => at % 3 !== 2)
  return shown.map((part, at) => createElement(Fragment, { key: at }, drawnPart(part, given)))
}

function drawnPart(part: string, given: Nodes): ReactNode {
  const [, tag, inner = ''] = /^<(\w+)>(.*)<\/\1>$/.exec(part) ?? []
  const name = tag ?? /^\{(\w+)\}$/.exec(part)?.[1]
  const value = name === undefined ? part : given[name]
  return typeof value === 'function' ? value(drawn(inner, given)) : value
}
