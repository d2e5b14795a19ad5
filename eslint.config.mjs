import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import language from './eslint-language.mjs';
import layers from './eslint-layers.mjs';
import positions from './eslint-positions.mjs';

const FLOAT = [
  { selector: "CallExpression[callee.name='parseFloat']", message: 'Amounts and rates are never floats.' },
  { selector: "CallExpression[callee.property.name='parseFloat']", message: 'Amounts and rates are never floats.' },
];
const TIME = [
  {
    selector: "MemberExpression[object.name='Date'][property.name=/^(now|parse)$/]",
    message: 'Time comes in by the Clock port; isoTime and parseIsoTime read and write it.',
  },
  { selector: "NewExpression[callee.name='Date']", message: 'Time comes in by the Clock port.' },
];
const CHANCE = [
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'Randomness comes in by the Entropy port.',
  },
];

const PATTERN_MESSAGE = 'A regular expression is a literal, so that a test can prove it linear.';
const PATTERNS = [
  { selector: "NewExpression[callee.name='RegExp']", message: PATTERN_MESSAGE },
  { selector: "CallExpression[callee.name='RegExp']", message: PATTERN_MESSAGE },
  {
    selector:
      'CallExpression[callee.property.name=/^(match|matchAll|search)$/] > :matches(Literal[regex=undefined], TemplateLiteral)',
    message: PATTERN_MESSAGE,
  },
];

export default tseslint.config(
  { ignores: ['**/dist/', 'node_modules/', 'data/'] },
  js.configs.recommended,
  {
    plugins: { language },
    rules: {
      'language/columns': ['error', { allowsRows: true }],
      'language/sentences': 'error',
      'language/subjects': 'error',
    },
  },
  {
    files: ['**/*.{mjs,cjs}'],
    languageOptions: { globals: { module: 'writable', process: 'readonly', console: 'readonly' } },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { globals: { require: 'readonly', __dirname: 'readonly' } },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { positions },
    rules: {
      'positions/ordered': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.ts', 'projections/**/*.ts', 'web/**/*.{ts,tsx}'],
    plugins: { layers },
    rules: {
      'layers/arrows': 'error',
      // Tests may write each case as a row.
      'language/columns': 'error',
      'max-lines': ['error', 300],
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...FLOAT, ...TIME, ...CHANCE, ...PATTERNS],
    },
  },
  { files: ['clients/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...PATTERNS] } },
  // The adapters of time and randomness.
  {
    files: ['src/kernel/clock.ts', 'src/platform/clock/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...FLOAT, ...PATTERNS] },
  },
  {
    files: ['src/vocabulary/*.ts', 'src/kernel/**/*.ts', 'src/modules/*/*.ts', 'projections/*.projection.ts'],
    rules: { 'no-restricted-globals': ['error', 'process', 'setTimeout', 'setInterval', 'fetch', 'performance'] },
  },
  // The output of a command line is its answer.
  { files: ['src/cli/**/*.ts'], rules: { 'no-console': 'off' } },
);
