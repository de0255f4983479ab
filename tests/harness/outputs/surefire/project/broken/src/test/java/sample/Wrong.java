package sample;

class Wrong { int one() { return "text"; } }
