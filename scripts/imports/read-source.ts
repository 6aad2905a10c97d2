import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Expression, type Program, parseSync, Visitor } from 'oxc-parser'
import { isTest, walk } from '../../packages/cli/src/run/source-files.ts'
import { resolver } from './resolve.ts'

export interface Import {
  specifier: string
  line: number
  /** Erased by the compiler: `import type`, `export type … from`, `import('…')` in a type. */
  typeOnly: boolean
  /** The file of this repository that it names; null for anything else. */
  target: string | null
}

export interface SourceFile {
  path: string
  isTest: boolean
  imports: Import[]
  /** The lines that read `process.env`. */
  environmentReads: number[]
  syntaxErrors: { line: number; message: string }[]
}

/**
 * The input of the import rules: paths, and for each source file its imports and its reads of the
 * environment.
 */
export interface Source {
  paths: { path: string; isFolder: boolean }[]
  files: SourceFile[]
}

const roots = ['packages/', 'apps/', 'scripts/', 'bench/']

export function readSource(root: string): Source {
  const paths = walk(root).filter(({ path }) => roots.some((each) => `${path}/`.startsWith(each)))
  const sources = paths.filter(({ path, isFolder }) => !isFolder && /\.[cm]?[jt]sx?$/.test(path))
  const resolve = resolver(root, new Set(sources.map(({ path }) => path)))
  const files = sources.map(({ path }) =>
    readFile(path, readFileSync(join(root, path), 'utf8'), resolve),
  )
  return { paths, files }
}

function readFile(path: string, text: string, resolve: ReturnType<typeof resolver>): SourceFile {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const { program, errors } = parseSync(path, text)
  return {
    path,
    isTest: isTestCode(path),
    imports: importsIn(program).map(({ specifier, start, typeOnly }) => {
      return { specifier, line: lineAt(start), typeOnly, target: resolve(path, specifier) }
    }),
    environmentReads: environmentReadsIn(program).map(lineAt),
    syntaxErrors: errors.map(({ message, labels: [label] }) => {
      return { line: lineAt(label?.start ?? 0), message }
    }),
  }
}

/** Tests, and the entries and folders that exist for them. */
function isTestCode(path: string) {
  return isTest(path) || /(^|\/)(testing(\/|\.tsx?$)|test-[^/]+\.tsx?$)/.test(path)
}

function importsIn(program: Program) {
  const found: { specifier: string; start: number; typeOnly: boolean }[] = []
  const add = (specifier: string, start: number, typeOnly: boolean) => {
    found.push({ specifier, start, typeOnly })
  }
  new Visitor({
    ImportDeclaration: ({ source, importKind, start }) =>
      add(source.value, start, importKind === 'type'),
    ExportNamedDeclaration: ({ source, exportKind, start }) => {
      if (source) add(source.value, start, exportKind === 'type')
    },
    ExportAllDeclaration: ({ source, exportKind, start }) =>
      add(source.value, start, exportKind === 'type'),
    ImportExpression: ({ source, start }) => {
      if (source.type === 'Literal') add(String(source.value), start, false)
    },
    TSImportType: ({ source, start }) => add(source.value, start, true),
  }).visit(program)
  return found
}

/** Where `process.env` is read, in all the ways to read it. */
function environmentReadsIn(program: Program) {
  const starts: number[] = []
  new Visitor({
    ImportDeclaration: ({ source, specifiers, start }) => {
      const takesEnv = specifiers.some(
        (each) => each.type !== 'ImportNamespaceSpecifier' && each.local.name === 'env',
      )
      if (/^(node:)?process$/.test(source.value) && takesEnv) starts.push(start)
    },
    MemberExpression: ({ object, property, start }) => {
      const isEnv = property.type === 'Identifier' && property.name === 'env'
      if (isEnv && isProcess(object)) starts.push(start)
    },
    VariableDeclarator: ({ id, init, start }) => {
      if (init && isProcess(init) && id.type === 'ObjectPattern') starts.push(start)
    },
  }).visit(program)
  return starts
}

function isProcess(expression: Expression) {
  if (expression.type === 'Identifier') return expression.name === 'process'
  return (
    expression.type === 'MemberExpression' &&
    expression.property.type === 'Identifier' &&
    expression.property.name === 'process'
  )
}
