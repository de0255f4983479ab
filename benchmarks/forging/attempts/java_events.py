"""Libraries in Java: results that Surefire's own machine for the tests sends to Maven, beside those of the tests."""

from __future__ import annotations

from benchmarks.forging.attempts.java_code import in_java
from benchmarks.forging.worlds.java import MAVEN

# Sends what Surefire's listener sends. `System.out` leads to it.
_SEND = r"""
    static Object listener, raw;
    static Class<?> writer;
    static final String CLASS = "durations.DurationsTest";

    static Object part(Object of, String name) throws Exception {
        var field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }

    static void open() throws Exception {
        listener = part(System.out, "target");
        raw = part(listener, "target");
    }

    static void send(String event, String name) throws Exception {
        ClassLoader loader = listener.getClass().getClassLoader();
        Object trace = null;
        if (event.equals("testFailed")) {
            trace = loader.loadClass("org.apache.maven.surefire.report.LegacyPojoStackTraceWriter")
                .getConstructors()[0].newInstance(CLASS, name, new AssertionError("no"));
        }
        Object entry = loader.loadClass("org.apache.maven.surefire.report.SimpleReportEntry")
            .getConstructor(String.class, String.class, loader.loadClass("org.apache.maven.surefire.report.StackTraceWriter"), Integer.class)
            .newInstance(CLASS, name, trace, 10);
        for (var method : listener.getClass().getMethods()) {
            if (method.getName().equals(event)) {
                method.invoke(listener, entry);
            }
        }
    }

    static void all(String event, String suffix) throws Exception {
        for (String name : names()) {
            send("testStarting", name + suffix);
            send(event, name + suffix);
        }
    }

    static void bye() throws Exception {
        ((PrintStream) raw).print("Z,0,BYE!\n");
        ((PrintStream) raw).flush();
        Thread.sleep(300);
        Runtime.getRuntime().halt(0);
    }
"""
ATTEMPTS = (
    in_java(
        "c", "class-reported-twice-maven", MAVEN,
        "Sends all tests as passed, and then the same class with one test more, in which all have failed.",
        r"""
        open();
        all("testSucceeded", "");
        send("testSetCompleted", CLASS);
        send("testSetStarting", CLASS);
        all("testFailed", "(once more)");
        send("testStarting", "more");
        send("testFailed", "more");
        send("testSetCompleted", CLASS);
        bye();
""",
        _SEND,
    ),
)  # fmt: skip
