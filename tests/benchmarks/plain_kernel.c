/* A reference tracer: tests every primitive for every ray in one thread, for lines and circles of mirrors and glass.
   It has the same intersection tests and physical laws as the program's kernels, but not their data structures. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { LINE, ARC, FULL_LINE };
enum { REFRACT = 1, REFLECT = 2 };
enum { STACK = 4096 };

typedef struct { double x, y, dx, dy, s, p; long depth; } Ray;

/* The distance to a primitive beyond the shortest segment; g as in raybench.trace.tables. */
static inline double meet(int kind, const double *g, const Ray *r, double shortest) {
    if (kind == ARC) {
        double rx = r->x - g[0], ry = r->y - g[1], along = rx * r->dx + ry * r->dy, off = rx * r->dy - ry * r->dx;
        double square = g[2] * g[2] - off * off, found = INFINITY;
        if (square >= 0) {
            double half = sqrt(square), limit = g[5] - 1e-3 * shortest, s = half - along;
            if (s > shortest && (r->x + s * r->dx) * g[3] + (r->y + s * r->dy) * g[4] >= limit) found = s;
            s = -half - along;
            if (s > shortest && (r->x + s * r->dx) * g[3] + (r->y + s * r->dy) * g[4] >= limit) found = s;
        }
        return found;
    }
    double det = r->dx * g[3] - r->dy * g[2], ax = g[0] - r->x, ay = g[1] - r->y, s = (ax * g[3] - ay * g[2]) / det;
    if (!(s > shortest && s < INFINITY)) return INFINITY;
    if (kind != FULL_LINE) {
        double u = (ax * r->dy - ay * r->dx) / det;
        if (u < -1e-3 * shortest || u > g[4] + 1e-3 * shortest) return INFINITY;
    }
    return s;
}

/* Traces rays (6 numbers each: place, direction, power in s and p) and writes a row of 8 numbers for every segment: its ends, its power,
   its parent and the primitive it meets. Returns the number of segments, at most limit. */
long trace(long count, const int8_t *kind, const double *geometry, const int8_t *surface, const double *index, long rays,
           const double *start, double shortest, double weakest, long max_depth, double far, long limit, double *rows) {
    Ray *stack = malloc(STACK * sizeof(Ray));
    long *parent = malloc(STACK * sizeof(long)), n = 0, weak = 0;
    for (long i = 0; i < rays && n < limit; i++) {
        const double *q = start + 6 * i;
        long top = 1;
        stack[0] = (Ray){q[0], q[1], q[2], q[3], q[4], q[5], 0};
        parent[0] = -1;
        while (top > 0 && n < limit) {
            Ray r = stack[--top];
            double best = INFINITY, *row = rows + 8 * n;
            long hit = -1;
            for (long k = 0; k < count; k++) {
                double s = meet(kind[k], geometry + 9 * k, &r, shortest);
                if (s < best) best = s, hit = k;
            }
            double way = hit < 0 ? far : best, x = r.x + way * r.dx, y = r.y + way * r.dy;
            row[0] = r.x, row[1] = r.y, row[2] = x, row[3] = y, row[4] = r.s, row[5] = r.p, row[6] = parent[top], row[7] = hit;
            n++;
            if (hit < 0 || r.depth >= max_depth) continue;
            const double *g = geometry + 9 * hit;
            double nx = g[5], ny = g[6];
            if (kind[hit] == ARC) {
                double scale = g[6] / hypot(x - g[0], y - g[1]);
                nx = (x - g[0]) * scale, ny = (y - g[1]) * scale;
            }
            double along = r.dx * nx + r.dy * ny, rs = 1, rp = 1;
            Ray back = {x, y, r.dx - 2 * along * nx, r.dy - 2 * along * ny, r.s, r.p, r.depth + 1};
            if (surface[hit] == REFRACT) {
                double ratio = along > 0 ? index[hit] : 1 / index[hit], ci = fabs(along), square = 1 - ratio * ratio * (1 - ci * ci);
                if (square >= 0) {
                    double ct = sqrt(square);
                    rs = (ratio * ci - ct) / (ratio * ci + ct), rs *= rs;
                    rp = (ratio * ct - ci) / (ratio * ct + ci), rp *= rp;
                    double turn = along > 0 ? ratio * ci - ct : ct - ratio * ci;
                    Ray on = {x, y, ratio * r.dx - turn * nx, ratio * r.dy - turn * ny, r.s * (1 - rs), r.p * (1 - rp), r.depth + 1};
                    if (on.s + on.p > 0 && top < STACK) parent[top] = n - 1, stack[top++] = on;
                }
            } else if (surface[hit] != REFLECT) continue;
            back.s *= rs, back.p *= rp;
            double power = back.s + back.p;
            if (power <= weakest) { /* weak reflections: one of several, with the power of all */
                if (!(power > 0)) continue;
                long several = (long)fmin(0.01 / power, 1e15) + 1;
                if (weak++ % several) continue;
                back.s *= several, back.p *= several;
            }
            if (top < STACK) parent[top] = n - 1, stack[top++] = back;
        }
    }
    free(parent);
    free(stack);
    return n;
}
