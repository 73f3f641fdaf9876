# Shares with strata, finite populations and clusters, by R's package survey (Lumley): what tests of the program's own intervals are held against.
#
#     apt-get install r-base-core r-cran-survey
#     Rscript tests/outside/survey.R > tests/outside/results/survey.txt
#
# Variances are those of svymean and svyratio. The interval is Clopper and Pearson's at the effective size, by qbeta; its degrees of freedom are
# Satterthwaite's over strata, where svyciprop(method = "beta"), printed beside, takes units less strata.

suppressPackageStartupMessages(library(survey))
options(digits = 12)

interval <- function(p, size) c(qbeta(0.025, p * size, (1 - p) * size + 1), qbeta(0.975, p * size + 1, (1 - p) * size))

strata <- function(name, population, labelled, yes) {
  h <- rep(seq_along(population), labelled)
  y <- unlist(Map(function(n, x) rep(c(1, 0), c(x, n - x)), labelled, yes))
  data <- data.frame(h = h, y = y, size = population[h])
  design <- svydesign(ids = ~1, strata = ~h, fpc = ~size, data = data)
  p <- coef(svymean(~y, design))[[1]]
  variance <- vcov(svymean(~y, design))[1, 1]
  parts <- sapply(seq_along(population), function(i) {
    one <- data[data$h == i, ]
    (population[i] / sum(population))^2 * vcov(svymean(~y, svydesign(ids = ~1, fpc = ~size, data = one)))[1, 1]
  })
  stopifnot(all.equal(sum(parts), variance))
  freedom <- variance^2 / sum(parts^2 / (labelled - 1))
  n <- sum(labelled)
  effective <- p * (1 - p) * n / (n - 1) / variance
  shrunk <- (qnorm(0.975) / qt(0.975, freedom))^2
  cat(name, "\n  share", p, " variance", variance, " freedom", freedom, "\n  interval", interval(p, effective * shrunk), "\n")
  cat("  svyciprop", attr(svyciprop(~y, design, method = "beta"), "ci"), "\n")
}

clusters <- function(name, part, whole) {
  data <- data.frame(part = part, whole = whole)
  design <- suppressWarnings(svydesign(ids = ~1, weights = ~1, data = data))
  ratio <- svyratio(~part, ~whole, design)
  p <- coef(ratio)[[1]]
  variance <- vcov(ratio)[1, 1]
  shrunk <- (qnorm(0.975) / qt(0.975, length(part) - 1))^2
  # The program is never surer than as many clusters of equal size.
  even <- sum(whole)^2 / sum(whole^2)
  effective <- p * (1 - p) / variance
  cat(name, "\n  ratio", p, " variance", variance, " effective size", effective, " clusters of equal size", even, "\n")
  cat("  interval", interval(p, effective * shrunk), "\n  capped", interval(p, min(effective, even) * shrunk), "\n")
  units <- data.frame(cluster = rep(seq_along(whole), whole),
                      y = unlist(Map(function(b, a) rep(c(1, 0), c(a, b - a)), whole, part)))
  units <- suppressWarnings(svydesign(ids = ~cluster, weights = ~1, data = units))
  cat("  svyciprop", attr(svyciprop(~y, units, method = "beta"), "ci"), "\n")
}

cat(R.version.string, "; survey", as.character(packageVersion("survey")), "\n")
strata("two strata", c(800, 200), c(40, 20), c(36, 5))
strata("three strata", c(5000, 1200, 90), c(50, 30, 20), c(47, 12, 1))
strata("four strata of few labels", c(300, 300, 300, 300), c(5, 6, 7, 8), c(4, 3, 2, 1))
clusters("twelve clusters", c(1, 2, 0, 3, 5, 1, 0, 2, 4, 1, 6, 0), c(1, 3, 2, 3, 6, 1, 1, 2, 5, 2, 8, 1))
clusters("thirty clusters, large ones mostly false", rep(c(1, 0, 2, 0, 3, 1, 0), c(12, 1, 5, 2, 2, 1, 7)), rep(c(1, 1, 2, 2, 3, 2, 3), c(12, 1, 5, 2, 2, 1, 7)))
