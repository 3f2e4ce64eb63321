export { plainArray, textArray, vectorLiteral } from '../../../../core/db/literals.ts'
