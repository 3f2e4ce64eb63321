export * from '../kit/wait.ts'
